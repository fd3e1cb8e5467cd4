import OSC

/// Queue of messages from bundles with future time tags (OSC 1.0, "Temporal semantics").
///
/// Times are seconds since 1900-01-01, as in time tags. Messages are returned in the order of their times, and for
/// equal times in the order of arrival.
struct OSCSchedule {
    /// Greatest number of waiting messages.
    static let capacity = 1024
    /// Greatest number of waiting messages of one sender.
    static let share = 256
    /// Greatest time from the present to a message's time, seconds. Later messages are dropped, because the sender's
    /// clock is probably wrong.
    static let horizon = 3600.0

    private struct Waiting {
        var time: Double
        var message: OSCMessage
        var sender: ControlSender
    }
    /// Waiting messages, sorted by time.
    private var waiting: [Waiting] = []

    /// Number of waiting messages.
    var count: Int { waiting.count }

    /// Passes the messages that are due to `now`, and keeps the rest.
    ///
    /// - Parameter mayWait: returns whether messages of this sender may be kept; called for each message. If it returns
    ///   false, the message is passed to `now`, which must refuse it.
    /// - Returns: number of messages that were dropped, because too many are waiting or because their time is too far
    ///   ahead.
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
            // A nested bundle takes effect no earlier than the outer bundle.
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

    /// Returns the time until the next message is due, seconds; nil if none is waiting.
    func sleep(until time: Double) -> Double? { waiting.first.map { max(0, $0.time - time) } }
}
