/// Choice between raw measurements and orientations of a tracker that may send both.
///
/// Raw measurements are preferred, so that the same filter runs for head and device and their common errors cancel; a
/// format's "-fused" row prefers the tracker's own orientation, with its rate. Where only the other kind arrives, that
/// is used. A change from one to the other is reported as a discontinuity.
struct MotionChoice: Sendable {
    /// Kind of a message.
    enum Kind: Sendable {
        case measured
        case fused
    }

    /// Kind used when both arrive.
    let preferred: Kind
    private var used: Kind?
    /// Messages of the other kind since the last preferred one.
    private var others = 0

    /// Messages of the other kind alone after which the tracker no longer sends the preferred one.
    static let patience = 64

    init(preferring preferred: Kind) { self.preferred = preferred }

    /// Returns whether messages of this kind are in use, or neither kind is yet.
    func isUsed(_ kind: Kind) -> Bool { used == nil || used == kind }

    /// Returns whether a message of this kind is used; reports a change in the output.
    mutating func admits(_ kind: Kind, into output: inout DecoderOutput) -> Bool {
        if kind == preferred {
            others = 0
        } else if used == preferred {
            others += 1
            guard others > Self.patience else { return false }
        }
        if let used, used != kind { output.readings.append(TrackerReading(.discontinuity)) }
        used = kind
        return true
    }
}
