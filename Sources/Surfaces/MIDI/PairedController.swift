/// Two controllers of seven bits that are one of fourteen; a value, to which time is told in seconds that do not run
/// backwards.
///
/// MIDI 1.0 has the coarse half first, from which the fine one begins at 0, and after it as many fine ones as are
/// needed. Many devices send the fine half first, and the coarse one after it: then that is what it belongs to. Which
/// of the two a device does is told by the halves with which a motion begins after a pause.
struct PairedController: Sendable {
    /// Seconds after which what comes is another motion: what is sent together is heard within a period or two.
    static let pause = 0.06

    private enum Half { case coarse, fine }

    /// Where it stands, 0...16383; nil: neither half was heard.
    private(set) var position: Int?
    private var fine = 0
    private var isFineFirst = false
    /// The half with which a motion began, until the next message.
    private var begun: Half?
    private var last = -Double.infinity

    /// The coarse half came; where it now stands.
    mutating func coarse(_ value: UInt8, at now: Double) -> Int {
        note(.coarse, at: now)
        if !isFineFirst { fine = 0 }
        let found = Int(value & 0x7F) << 7 | fine
        position = found
        return found
    }

    /// The fine half came; where it now stands. `there`: where the value in force stands, where that is not what this
    /// controller was last moved to. Nil: nothing is known of the coarse half.
    mutating func fine(_ value: UInt8, from there: Int?, at now: Double) -> Int? {
        note(.fine, at: now)
        fine = Int(value & 0x7F)
        guard let base = there ?? position else { return nil }
        let found = base & ~0x7F | fine
        position = found
        return found
    }

    private mutating func note(_ half: Half, at now: Double) {
        defer { last = now }
        guard now - last <= Self.pause else {
            begun = half
            return
        }
        switch (begun, half) {
        case (.fine, .coarse): isFineFirst = true
        case (.coarse, .fine): isFineFirst = false
        default: break
        }
        begun = nil
    }
}
