/// Chooses one sender among several that send to the same port.
///
/// A sender is an address and a port. Once two datagrams of a sender have arrived, other senders are ignored until this
/// sender has given no reading for a second. Then the next sender is accepted. A program that opens a new socket for
/// each datagram sends each from a new port. Until a port repeats, all ports of one address therefore count as one
/// sender. A pure value: the time is a parameter of every call.
struct SenderChoice: Sendable {
    /// Verdict on a datagram.
    enum Verdict: Sendable {
        /// The datagram continues the stream of the present sender, or is the very first one.
        case goesOn
        /// The datagram begins the stream of a new sender.
        case begins
        /// The datagram comes from a sender other than the accepted one.
        case ignored
    }

    /// Seconds without a reading after which another sender is accepted.
    static let silence = 1.0
    /// Number of successive new ports after which the ports of the address count as those of one program.
    private static let hops = 8
    /// Greatest number of senders in `recent`. It limits memory and time if datagrams come from many false addresses.
    static let remembered = 64

    /// The accepted sender; `nil` before the first datagram.
    private(set) var current: DatagramSender?
    private var isHolding = false
    private var lastHeard = 0.0
    /// The newest senders since the last call of `begin`, oldest first; at most `remembered`.
    private(set) var recent: [DatagramSender] = []
    private var isHopping = false

    /// Judges a datagram. `time`: its arrival, seconds, rising.
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
        // A port has returned after another port: these are two senders.
        if recent.contains(sender) {
            begin(sender, time)
            isHolding = true
            return .begins
        }
        self.current = sender
        recent.append(sender)
        if recent.count > Self.remembered { recent.removeFirst() }
        isHopping = isNear && recent.count > Self.hops
        return isNear ? .goesOn : .begins
    }

    /// Records the time of a reading of the accepted sender.
    mutating func heard(at time: Double) { lastHeard = time }

    private mutating func begin(_ sender: DatagramSender, _ time: Double) {
        self = SenderChoice()
        current = sender
        recent = [sender]
        lastHeard = time
    }
}
