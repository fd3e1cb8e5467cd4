/// Schedule of the messages with the present state that a client gets after it was connected to a MIDI output. The
/// schedule is a value; times are arguments.
///
/// A server reports a connection before messages pass through it. jackd uses the connection from the next or the next
/// but one cycle on. PipeWire makes the connection later, without a report. On a busy machine a device that has just
/// started may also miss cycles and their messages. The messages are therefore sent repeatedly.
struct ListenerWatch {
    /// Number of cycles after which a connection passes messages.
    static let cycles = 3
    /// Times after the connection at which messages are sent again, seconds.
    static let again = [0.5, 2.0]

    /// Cycle of the first message (`Int.min` when it has been sent), and times of the later messages. Nil if no
    /// messages have to be sent.
    private var due: (cycle: Int, times: [Double])?

    /// Whether messages still have to be sent.
    var isWaiting: Bool { due != nil }

    /// Returns whether messages are due now. Call at regular intervals while `isWaiting`.
    ///
    /// - Parameters:
    ///   - came: Whether a client was connected since the last call.
    ///   - cycle: Number of cycles run.
    ///   - now: Monotonic time, seconds.
    mutating func isTime(_ came: Bool, cycle: Int, at now: Double) -> Bool {
        if came { due = (cycle + Self.cycles, Self.again.map { now + $0 }) }
        guard let (first, times) = due, cycle >= first else { return false }
        // The first message depends on cycles, the later ones on time.
        let late = times.filter { $0 <= now }
        let isFirst = first != .min
        guard isFirst || !late.isEmpty else { return false }
        let left = times.filter { $0 > now }
        due = left.isEmpty ? nil : (.min, left)
        return true
    }
}
