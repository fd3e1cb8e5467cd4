/// Chooses one sender at a time among those that send to one port.
///
/// A sender is an address and a port. One that sends a second datagram holds the port until none of its bytes have
/// given a reading for a second; others are ignored meanwhile, then the next one takes over. A program that opens a new
/// socket for each message has a new port each time: until a port repeats, all ports of one address count as one
/// sender. A pure value: the time is a parameter of every call.
struct SenderChoice: Sendable {
    /// Verdict on a datagram.
    enum Verdict: Sendable {
        /// It continues the stream of the present sender.
        case goesOn
        /// It begins the stream of a new sender.
        case begins
        /// It is from another sender than the accepted one.
        case ignored
    }

    /// Seconds without a reading after which another sender takes over.
    static let silence = 1.0
    /// Number of successive new ports that count as one program's.
    private static let hops = 8

    /// The accepted sender; `nil` before the first datagram.
    private(set) var current: DatagramSender?
    private var isHolding = false
    private var lastHeard = 0.0
    /// Ports from which one datagram came since the sender began.
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
        // A port has returned after another: these are two senders.
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

    /// Notes a reading of the accepted sender.
    mutating func heard(at time: Double) { lastHeard = time }

    private mutating func begin(_ sender: DatagramSender, _ time: Double) {
        self = SenderChoice()
        current = sender
        recent = [sender]
        lastHeard = time
    }
}
