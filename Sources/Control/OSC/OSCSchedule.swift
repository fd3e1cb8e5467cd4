import OSC

/// Queue of messages from bundles with future time tags (OSC 1.0, "Temporal semantics"); a value.
///
/// Times are seconds since 1900-01-01, as in time tags. Messages leave in the order of their times, and within one time
/// in order of arrival.
struct OSCSchedule {
    /// Most messages that may wait.
    static let capacity = 1024
    /// Most messages of one sender that may wait.
    static let share = 256
    /// Furthest time of a bundle ahead, s; a further one comes from a wrong clock.
    static let horizon = 3600.0

    private struct Waiting {
        var time: Double
        var message: OSCMessage
        var sender: ControlSender
    }
    /// Waiting messages, by time.
    private var waiting: [Waiting] = []

    /// Number of messages that wait.
    var count: Int { waiting.count }

    /// Passes the messages that are due to `now` and keeps the others.
    ///
    /// - Parameter mayWait: whether messages of this sender may be kept, called for each message; if not, they are
    ///   passed to `now`, to be refused.
    /// - Returns: number of messages that were dropped: too many wait, or their time lies too far ahead.
    mutating func take(
        _ packet: OSCPacket, from sender: ControlSender, at time: Double, mayWait: () -> Bool = { true },
        now: (OSCMessage) -> Void
    ) -> Int {
        take(packet, from: sender, due: nil, at: time, mayWait, now)
    }

    private mutating func take(
        _ packet: OSCPacket, from sender: ControlSender, due: Double?, at time: Double, _ mayWait: () -> Bool,
        _ now: (OSCMessage) -> Void
    ) -> Int {
        switch packet {
        case .message(let message):
            guard let due, due > time, mayWait() else {
                now(message)
                return 0
            }
            guard due - time <= Self.horizon, waiting.count < Self.capacity,
                waiting.count(where: { $0.sender == sender }) < Self.share
            else { return 1 }
            let place = waiting.lastIndex { $0.time <= due }.map { $0 + 1 } ?? 0
            waiting.insert(Waiting(time: due, message: message, sender: sender), at: place)
            return 0
        case .bundle(let tag, let packets):
            // A bundle within another takes effect no earlier than the outer one.
            let due = [due, tag == .immediately ? nil : tag.seconds].compactMap { $0 }.max()
            return packets.reduce(0) { $0 + take($1, from: sender, due: due, at: time, mayWait, now) }
        }
    }

    /// Removes and returns the messages that are due.
    mutating func due(at time: Double) -> [(OSCMessage, ControlSender)] {
        let count = waiting.prefix { $0.time <= time }.count
        defer { waiting.removeFirst(count) }
        return waiting[..<count].map { ($0.message, $0.sender) }
    }

    /// Returns the seconds until the next message is due; nil where none waits.
    func sleep(until time: Double) -> Double? { waiting.first.map { max(0, $0.time - time) } }
}
