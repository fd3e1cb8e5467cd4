/// Whether a stage keeps up with its periods, by the time that 999 of 1000 periods stay below.
package enum CapacityVerdict: String, Codable, Sendable, Comparable {
    /// At most half of the period: the server, other clients and a late wake-up have the other half.
    case fits
    /// At most four fifths: it plays while it is nearly alone on the machine.
    case tight
    /// More: periods would be missed.
    case exceeds = "too much"

    /// The verdict on a share of the period, 1 for all of it.
    init(p999: Double) { self = p999 <= 0.5 ? .fits : p999 <= 0.8 ? .tight : .exceeds }

    private var rank: Int {
        switch self {
        case .fits: 0
        case .tight: 1
        case .exceeds: 2
        }
    }

    /// The better verdict is the smaller.
    package static func < (a: CapacityVerdict, b: CapacityVerdict) -> Bool { a.rank < b.rank }
}
