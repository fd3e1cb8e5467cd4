/// Choice between raw measurements and orientations of a tracker that may send both.
///
/// Most formats prefer raw measurements. If the head is tracked relative to a second tracker, the same filter then runs
/// for both, and their common errors cancel. Formats whose names end in "-fused", and the sensors of a phone in OSC
/// (`SensorParts`), prefer the tracker's own orientation, with its rate. If only the kind that is not preferred
/// arrives, this kind is used. A change from one kind to the other is reported as a discontinuity.
struct MotionChoice: Sendable {
    /// Kind of a message.
    enum Kind: Sendable {
        case measured
        case fused
    }

    /// Kind that is used if both kinds arrive.
    let preferred: Kind
    private var used: Kind?
    /// Number of messages of the other kind since the last preferred one.
    private var others = 0

    /// Number of successive messages of the other kind after which the preferred kind is given up.
    static let patience = 64

    init(preferring preferred: Kind) { self.preferred = preferred }

    /// Returns whether messages of this kind are in use, or no kind is in use yet.
    func isUsed(_ kind: Kind) -> Bool { used == nil || used == kind }

    /// Returns whether a message of this kind is used. Appends a discontinuity to the output if the kind in use
    /// changes.
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
