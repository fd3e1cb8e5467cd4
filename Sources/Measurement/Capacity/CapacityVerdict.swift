/// Verdict on a stage (a rendered layout) by the 99.9th percentile of its rendering times.
package enum CapacityVerdict: String, Codable, Sendable, Comparable {
    /// At most half of the period: the rest is left for the server, other clients and a late wake-up.
    case fits
    /// At most four fifths of the period: the stage plays without dropouts while the machine does little else.
    case tight
    /// More than four fifths: periods would be missed.
    case exceeds = "too much"

    /// Returns the verdict on a share of the period, 1 for all of it.
    init(p999: Double) { self = p999 <= 0.5 ? .fits : p999 <= 0.8 ? .tight : .exceeds }

    private var rank: Int {
        switch self {
        case .fits: 0
        case .tight: 1
        case .exceeds: 2
        }
    }

    /// Orders the better verdict first.
    package static func < (a: CapacityVerdict, b: CapacityVerdict) -> Bool { a.rank < b.rank }
}
