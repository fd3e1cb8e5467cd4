import OSC

/// Messages of bundles whose time tags lie ahead, until their time has come (OSC 1.0, "Temporal semantics"); a value.
///
/// Times are seconds since 1900-01-01, as time tags count them. What is due is given out in the order of time, and
/// within one time in the order in which it came.
struct OSCSchedule {
    /// Messages that may wait.
    static let capacity = 1024
    /// Messages of one sender that may wait.
    static let share = 256
    /// Seconds that a bundle may lie ahead: further ones come from a clock that is wrong.
    static let horizon = 3600.0

    private struct Waiting {
        var time: Double
        var message: OSCMessage
        var sender: ControlSender
    }
    /// By time.
    private var waiting: [Waiting] = []

    /// Messages that wait.
    var count: Int { waiting.count }

    /// Hands what is to be done now to `now` and keeps the rest.
    ///
    /// - Parameter mayWait: whether anything of this sender is kept, asked message by message; else all of it is handed
    ///   out, to be refused.
    /// - Returns: how many messages could not be kept: too many wait, or their time lies too far ahead.
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
            // A bundle within another takes effect no sooner than that one.
            let due = [due, tag == .immediately ? nil : tag.seconds].compactMap { $0 }.max()
            return packets.reduce(0) { $0 + take($1, from: sender, due: due, at: time, mayWait, now) }
        }
    }

    /// What has come due; it waits no longer.
    mutating func due(at time: Double) -> [(OSCMessage, ControlSender)] {
        let count = waiting.prefix { $0.time <= time }.count
        defer { waiting.removeFirst(count) }
        return waiting[..<count].map { ($0.message, $0.sender) }
    }

    /// Seconds until something is due; nil where nothing waits.
    func sleep(until time: Double) -> Double? { waiting.first.map { max(0, $0.time - time) } }
}
