import Desk
import OSC
import Synchronization

/// The addresses that are sent what is in force, what happens and what moves, over UDP: those that were registered, by
/// their owner or by any sender that knows them (a tool that takes another port for each message registers a listener
/// beside it). Until they are taken off, or the session ends; but where the list is full, a sender that registered
/// itself and has been silent longest makes room: it may have been such a tool, and no program listens there.
/// Any thread.
final class OSCSubscribers: Sendable {
    /// The most there may be at a time.
    static let capacity = 32

    private let desk: SessionDesk
    private let send: @Sendable (_ bytes: [UInt8], _ host: String, _ port: Int) -> Void
    private let all = Mutex(List())
    /// Held from taking what is to be sent until it is sent: the thread that takes later sends later.
    private let sending = Mutex<Void>(())

    private struct Subscriber {
        var subscription: Subscription
        /// Whether the address was named, and is meant.
        var isNamed: Bool
        /// The newest of all messages that came from there, by their number.
        var heard: Int
    }

    private struct List {
        var subscribers: [ControlAddress: Subscriber] = [:]
        /// Messages so far.
        var messages = 0

        /// Whether there is room for an address, if need be after the most silent sender has gone.
        mutating func makeRoom(for address: ControlAddress) -> Bool {
            guard subscribers[address] == nil, subscribers.count >= OSCSubscribers.capacity else { return true }
            let silent = subscribers.filter { !$0.value.isNamed }.min { $0.value.heard < $1.value.heard }
            guard let silent else { return false }
            subscribers[silent.key] = nil
            return true
        }
    }

    /// No subscriber; what is told goes out by `send`, which never waits.
    init(at desk: SessionDesk, send: @escaping @Sendable (_ bytes: [UInt8], _ host: String, _ port: Int) -> Void) {
        self.desk = desk
        self.send = send
    }

    /// Puts an address on the list, or gives it other topics. `isNamed`: it was named, it is not merely where the
    /// message came from. False: the list is full of addresses that were named.
    func set(_ address: ControlAddress, _ topics: Set<Subscription.Topic>, isNamed: Bool) -> Bool {
        guard all.withLock({ $0.makeRoom(for: address) }) else { return false }
        let new = Subscription(topics, at: desk) { [weak self] in self?.flush(address) }
        let isIn = all.withLock { all in
            // Another may have taken the room meanwhile.
            guard all.makeRoom(for: address) else { return false }
            all.messages += 1
            let wasNamed = all.subscribers[address]?.isNamed == true
            all.subscribers[address] = Subscriber(
                subscription: new, isNamed: isNamed || wasNamed, heard: all.messages)
            return true
        }
        if isIn { flush(address) }
        return isIn
    }

    /// A message came from an address: it is not silent.
    func heard(_ address: ControlAddress) {
        all.withLock { all in
            all.messages += 1
            all.subscribers[address]?.heard = all.messages
        }
    }

    /// The addresses on the list.
    var addresses: Set<ControlAddress> { all.withLock { Set($0.subscribers.keys) } }

    /// Takes an address off the list.
    func remove(_ address: ControlAddress) { all.withLock { $0.subscribers[address] = nil } }

    /// Takes every address off the list.
    func end() { all.withLock { $0.subscribers = [:] } }

    private func flush(_ address: ControlAddress) {
        sending.withLock { _ in
            guard let subscription = all.withLock({ $0.subscribers[address]?.subscription }) else { return }
            for packet in OSCNews.packets(subscription.take()) {
                send(packet.encoded(), address.numericHost, address.port)
            }
        }
    }
}
