/// Schedule of state messages to a client newly connected to a MIDI output; a value, with time as an argument.
///
/// A server reports a connection before messages pass through it: jackd uses it from the next cycle or the one after;
/// PipeWire makes it later, without a report. On a busy machine a device that has just started may miss cycles and
/// their messages. So they are sent repeatedly.
struct ListenerWatch {
    /// Cycles after which a connection passes messages.
    static let cycles = 3
    /// Times after the connection at which messages are sent again, in seconds.
    static let again = [0.5, 2.0]

    private var due: (cycle: Int, times: [Double])?

    /// Whether messages are still to be sent.
    var isWaiting: Bool { due != nil }

    /// Returns whether messages are due now; to be called at regular intervals while `isWaiting`.
    ///
    /// - Parameters:
    ///   - came: whether a client was connected since the last call.
    ///   - cycle: number of cycles run.
    ///   - now: monotonic time in seconds.
    mutating func isTime(_ came: Bool, cycle: Int, at now: Double) -> Bool {
        if came { due = (cycle + Self.cycles, Self.again.map { now + $0 }) }
        guard let (first, times) = due, cycle >= first else { return false }
        // The first message depends on cycles, the others on time.
        let late = times.filter { $0 <= now }
        let isFirst = first != .min
        guard isFirst || !late.isEmpty else { return false }
        let left = times.filter { $0 > now }
        due = left.isEmpty ? nil : (.min, left)
        return true
    }
}
