/// What an ambisonic cell asks of an engine: an order, and a head that turns evenly.
struct AmbisonicWork {
    let order: Int
    /// Frames per call, and of our grid.
    let period: Int
    let sampleRate = 48_000.0
    let programme: Programme

    init(order: Int, period: Int) {
        self.order = order
        self.period = period
        programme = Programme(channels: (order + 1) * (order + 1), period: period)
    }

    /// ACN channels, SN3D.
    var channels: Int { (order + 1) * (order + 1) }
    /// Radians of yaw per frame: 100 degrees a second.
    var yawPerFrame: Double { 100 * .pi / 180 / sampleRate }
}
