/// When a client that was connected to a port that gives MIDI is told what it does not know yet; a value, to which time
/// is told.
///
/// A server says that there is a connection before sound and messages pass through it: jackd runs the next cycle by it,
/// or the one after that; PipeWire makes it in its own time, and says nothing when it is made. A device that has just
/// begun may miss cycles on a busy machine, and with them what was sent. So it is told again.
struct ListenerWatch {
    /// Cycles after which a connection passes messages on.
    static let cycles = 3
    /// Seconds after which what was told is told again.
    static let again = [0.5, 2.0]

    private var due: (cycle: Int, times: [Double])?

    /// Whether to tell now; to be asked again and again.
    ///
    /// - Parameters:
    ///   - came: whether a client was connected since this was last asked.
    ///   - cycle: cycles that were run.
    ///   - now: seconds that do not run backwards.
    mutating func isTime(_ came: Bool, cycle: Int, at now: Double) -> Bool {
        if came { due = (cycle + Self.cycles, Self.again.map { now + $0 }) }
        guard let (first, times) = due, cycle >= first else { return false }
        // The first time goes by cycles; the others by time.
        let late = times.filter { $0 <= now }
        let isFirst = first != .min
        guard isFirst || !late.isEmpty else { return false }
        let left = times.filter { $0 > now }
        due = left.isEmpty ? nil : (.min, left)
        return true
    }
}
