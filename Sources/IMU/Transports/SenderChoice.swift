/// Which of those that send to one port is listened to: one at a time.
///
/// A sender is an address and a port. One that sends a second datagram holds the port until nothing of
/// what it sends has been understood for a second; others are ignored meanwhile, then the next to come takes over. A
/// program that opens a new socket for each message shows a new port with each: while no message comes from a port seen
/// before, all of one address are one sender. A pure value: time comes in with every call.
struct SenderChoice: Sendable {
    /// What becomes of a datagram.
    enum Verdict: Sendable {
        /// It goes on with what its sender said before.
        case goesOn
        /// It begins a new sender's stream.
        case begins
        /// Another sender is listened to.
        case ignored
    }

    /// Seconds without a reading after which another takes over.
    static let silence = 1.0
    /// So many new ports one after the other are one program's.
    private static let hops = 8

    /// The sender that is listened to; `nil` before the first datagram.
    private(set) var current: DatagramSender?
    private var isHolding = false
    private var lastHeard = 0.0
    /// The last ports of the same address from which one datagram came.
    private var recent: [DatagramSender] = []
    private var isHopping = false

    /// Judges a datagram; `time`: seconds of its arrival, rising.
    mutating func admit(_ sender: DatagramSender, at time: Double) -> Verdict {
        guard let current else {
            begin(sender, time)
            return .goesOn
        }
        if sender == current {
            isHolding = true
            return .goesOn
        }
        if time - lastHeard > Self.silence {
            begin(sender, time)
            return .begins
        }
        let isNear = sender.hasAddress(of: current)
        if isHopping, isNear {
            self.current = sender
            return .goesOn
        }
        if isHolding || isHopping { return .ignored }
        // It is heard again, and another came in between: two of them speak.
        if recent.contains(sender) {
            begin(sender, time)
            isHolding = true
            return .begins
        }
        self.current = sender
        recent.append(sender)
        isHopping = isNear && recent.count > Self.hops
        return isNear ? .goesOn : .begins
    }

    /// Notes that something it sent was understood.
    mutating func heard(at time: Double) { lastHeard = time }

    private mutating func begin(_ sender: DatagramSender, _ time: Double) {
        self = SenderChoice()
        current = sender
        recent = [sender]
        lastHeard = time
    }
}
