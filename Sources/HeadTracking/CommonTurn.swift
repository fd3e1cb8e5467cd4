import Glibc

/// Slow turn of the vehicle, found because the head's and the device's tracker measure the same turn.
///
/// For three seconds both rates about the vertical, smoothed with a time constant of five seconds, must agree to
/// 0.15°/s plus a tenth of the larger rate. This excludes turns and sway of the head. Both biases must be known to
/// 0.1°/s, because equal errors of two gyroscopes would otherwise look like a common turn.
struct CommonTurn: Sendable {
    private static var degree: Double { .pi / 180 }
    /// Smoothed rates, rad/s.
    private var head = 0.0
    private var device = 0.0
    private var headTime: Double?
    private var deviceTime: Double?
    private var agreesSince: Double?

    /// Rate of the common turn about the vertical, rad/s; nil if there is none.
    private(set) var rate: Double?

    /// Adds the head's rate about the vertical, rad/s. `isKnown`: whether both biases are known to 0.1°/s.
    mutating func takeHead(_ rate: Double, at time: Double, isKnown: Bool) {
        Self.follow(&head, rate, &headTime, time)
        judge(time, isKnown)
    }

    /// Adds the device's rate about the vertical, as `takeHead` does for the head.
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
