/// Which of two kinds of motion is used of a tracker that may send both.
///
/// Raw measurements are preferred, so that the same filter runs on head and device and their common errors cancel; a
/// format's "-fused" row prefers the tracker's own orientation, to which its rate is added. Where only the other kind
/// comes, that is used. A change from one to the other is a discontinuity, and said to be one.
struct MotionChoice: Sendable {
    /// What a message says.
    enum Kind: Sendable {
        case measured
        case fused
    }

    /// What is used when both come.
    let preferred: Kind
    private var used: Kind?
    /// Messages of the other kind since the last of the preferred.
    private var others = 0

    /// After this many messages of the other kind alone the tracker has stopped sending the preferred.
    static let patience = 64

    init(preferring preferred: Kind) { self.preferred = preferred }

    /// Whether messages of this kind are used now, or would be if one came.
    func isUsed(_ kind: Kind) -> Bool { used == nil || used == kind }

    /// Whether a message of this kind is used; says so in the output where that is a change.
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
