/// Two seven-bit controllers that form one controller of fourteen bits. Callers pass the time in seconds, which must
/// not decrease.
///
/// By MIDI 1.0 the coarse half is sent first and resets the fine half to 0; fine halves may follow. Many devices send
/// the fine half first, and then the coarse half. The halves at the start of a motion after a pause show the order of
/// the device.
struct PairedController: Sendable {
    /// Time without messages after which a new motion begins, seconds. Messages sent together arrive within a period or
    /// two.
    static let pause = 0.06

    private enum Half { case coarse, fine }

    /// Position, 0…16 383; nil before the first half.
    private(set) var position: Int?
    private var fine = 0
    private var isFineFirst = false
    /// First half of a motion, until the next message.
    private var begun: Half?
    private var last = -Double.infinity

    /// Processes a coarse half. Returns the position.
    mutating func coarse(_ value: UInt8, at now: Double) -> Int {
        note(.coarse, at: now)
        if !isFineFirst { fine = 0 }
        let found = Int(value & 0x7F) << 7 | fine
        position = found
        return found
    }

    /// Processes a fine half. Returns the position; nil if the coarse half is unknown. `there`: position of the present
    /// value, if it was set by another source than this controller.
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
