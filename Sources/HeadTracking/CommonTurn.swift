import Glibc

/// The slow turn of the vehicle that both trackers show alike.
///
/// Their rates about the vertical, over five seconds, must agree to 0.15°/s and a tenth, for three seconds; by then
/// neither a turn of the head nor its sway is taken for one. And both biases must be known to 0.1°/s: before that, two
/// gyroscopes that happen to be wrong alike look the same.
struct CommonTurn: Sendable {
    private static var degree: Double { .pi / 180 }
    /// Rates over five seconds, rad/s.
    private var head = 0.0
    private var device = 0.0
    private var headTime: Double?
    private var deviceTime: Double?
    private var agreesSince: Double?

    /// rad/s about the vertical, where there is such a turn.
    private(set) var rate: Double?

    /// Takes the rate about the vertical that the head shows, rad/s.
    mutating func takeHead(_ rate: Double, at time: Double, isKnown: Bool) {
        Self.follow(&head, rate, &headTime, time)
        judge(time, isKnown)
    }

    /// As `takeHead`, of the device.
    mutating func takeDevice(_ rate: Double, at time: Double, isKnown: Bool) {
        Self.follow(&device, rate, &deviceTime, time)
        judge(time, isKnown)
    }

    private static func follow(_ mean: inout Double, _ rate: Double, _ last: inout Double?, _ time: Double) {
        if let then = last, time > then, time - then < 1 {
            mean += (1 - exp((then - time) / 5)) * (rate - mean)
        } else if last.map({ time - $0 >= 1 }) ?? true {
            mean = 0
        }
        last = max(last ?? time, time)
    }

    private mutating func judge(_ time: Double, _ isKnown: Bool) {
        let largest = max(abs(head), abs(device))
        let agree = isKnown && abs(head - device) < 0.15 * Self.degree + 0.1 * largest
        guard agree else {
            (agreesSince, rate) = (nil, nil)
            return
        }
        let since = agreesSince ?? time
        agreesSince = since
        rate = time - since > 3 ? (head + device) / 2 : nil
    }
}
