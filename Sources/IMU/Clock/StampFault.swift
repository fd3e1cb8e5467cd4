/// A fault of a sender's stamps. Each fault is compensated as well as possible, and reported.
package enum StampFault: Hashable, Sendable {
    /// The unit differs from the format's unit. The stamps are multiplied by `factor`, a power of ten. `unit`: nominal
    /// seconds of one count; `nil` for a format without a unit.
    case unit(factor: Double, unit: Double?)
    /// Scatter about a regular rate, seconds RMS; the regular rate is used.
    case jitter(Double)
    /// Steps too coarse for the rate; the step in seconds. The regular rate is used.
    case quantised(Double)
    /// Constant stamps; they are not used.
    case constant
    /// Falling stamps; they are not used.
    case backwards
    /// Jumps between two clocks; the stamps are not used.
    case interleaved
    /// Rate that no unit explains, in stamp seconds per host second; the stamps are not used.
    case rate(Double)

    /// Name of the fault for programs, one word.
    package var name: String {
        switch self {
        case .unit: "unit"
        case .jitter: "jitter"
        case .quantised: "quantised"
        case .constant: "constant"
        case .backwards: "backwards"
        case .interleaved: "interleaved"
        case .rate: "rate"
        }
    }
}

extension StampFault: CustomStringConvertible {
    /// The fault, how it is treated, and the user's remedy.
    package var description: String {
        switch self {
        case .unit(let factor, let unit):
            "its stamps \(Self.mistake(factor, unit)); they are multiplied by \(Self.number(factor)): send "
                + (unit.flatMap { Self.unitNames[$0] } ?? "the unit its format asks for")
        case .jitter(let deviation):
            "its stamps jitter by \(Self.milliseconds(deviation)) ms RMS about a regular rate, which is used instead: "
                + "stamp where the sensor is read, or send no stamps"
        case .quantised(let quantum):
            "its stamps come in steps of \(Self.milliseconds(quantum)) ms, too coarse for its rate; a regular rate is "
                + "used instead: send finer stamps, or none"
        case .constant: "its stamps are all equal and are not used: stamp every measurement, or send no stamps"
        case .backwards: "its stamps run backwards and are not used: send a clock that rises, or no stamps"
        case .interleaved:
            "its stamps jump between two clocks and are not used: if two senders use this port, give each its own"
        case .rate(let rate):
            "its stamps advance by \(Self.number(rate)) s in a second and are not used: send a clock's time, or no stamps"
        }
    }

    private static let unitNames = [1: "seconds", 1e-3: "milliseconds", 1e-6: "microseconds", 1e-9: "nanoseconds"]

    private static func mistake(_ factor: Double, _ unit: Double?) -> String {
        if let unit, let told = unitNames[unit],
            let meant = unitNames.first(where: { abs($0.key / (unit * factor) - 1) < 1e-3 })?.value
        {
            return "count \(meant) where the format has \(told)"
        }
        return factor > 1 ? "are \(number(factor)) times too small" : "are \(number(1 / factor)) times too large"
    }

    private static func milliseconds(_ seconds: Double) -> String { number(seconds * 1000) }

    /// Returns the number with about three digits; as a whole number if the rounded fraction is 0.
    private static func number(_ value: Double) -> String {
        let places = abs(value) < 1 ? 1000.0 : abs(value) < 100 ? 10 : 1
        let rounded = (value * places).rounded() / places
        return Int(exactly: rounded).map(String.init) ?? String(rounded)
    }
}
