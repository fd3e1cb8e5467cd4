/// Task of an ambisonic cell: an order, and a head that turns at a constant rate.
struct AmbisonicWork {
    let order: Int
    /// Frames per call, and per slice of the product's stage.
    let period: Int
    let sampleRate = 48_000.0
    let programme: Programme

    init(order: Int, period: Int) {
        self.order = order
        self.period = period
        programme = Programme(channels: (order + 1) * (order + 1), period: period)
    }

    /// Number of channels, in ACN order with SN3D normalisation.
    var channels: Int { (order + 1) * (order + 1) }
    /// Yaw per frame, radians: 100 degrees a second.
    var yawPerFrame: Double { 100 * .pi / 180 / sampleRate }
}
