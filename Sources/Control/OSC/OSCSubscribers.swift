import Desk
import OSC
import Synchronization

/// Addresses that are subscribed to state, events and telemetry over UDP.
///
/// An address can be registered by its owner or by any other sender, because a tool that uses another port for each
/// message registers a separate listener. An address stays until it is removed or the session ends. If the list is
/// full, a new address replaces one of the senders that registered themselves: the one that has been silent for
/// longest. Such a sender may be a tool as above, so that no program listens at its port. All functions may be called
/// on any thread.
final class OSCSubscribers: Sendable {
    /// Greatest number of addresses at a time.
    static let capacity = 32

    private let desk: SessionDesk
    private let send: @Sendable (_ bytes: [UInt8], _ host: String, _ port: Int) -> Void
    private let all = Mutex(List())
    /// Lock for reading and sending the news, so that packets are sent in the order of the news.
    private let sending = Mutex<Void>(())

    private struct Subscriber {
        var subscription: Subscription
        /// Whether the address was given explicitly in the message.
        var isNamed: Bool
        /// Number of the last message from the address.
        var heard: Int
    }

    private struct List {
        var subscribers: [ControlAddress: Subscriber] = [:]
        /// Number of messages so far.
        var messages = 0

        /// Returns whether there is space for an address. If necessary, removes the sender that has been silent for
        /// longest among those that registered themselves.
        mutating func makeRoom(for address: ControlAddress) -> Bool {
            guard subscribers[address] == nil, subscribers.count >= OSCSubscribers.capacity else { return true }
            let silent = subscribers.filter { !$0.value.isNamed }.min { $0.value.heard < $1.value.heard }
            guard let silent else { return false }
            subscribers[silent.key] = nil
            return true
        }
    }

    /// Creates an empty list. Packets are sent with `send`, which must not block.
    init(at desk: SessionDesk, send: @escaping @Sendable (_ bytes: [UInt8], _ host: String, _ port: Int) -> Void) {
        self.desk = desk
        self.send = send
    }

    /// Adds an address, or changes its topics. `isNamed`: whether the address was given explicitly, not derived from
    /// the sender of the message. Returns false if the list is full of explicit addresses.
    func set(_ address: ControlAddress, _ topics: Set<Subscription.Topic>, isNamed: Bool) -> Bool {
        guard all.withLock({ $0.makeRoom(for: address) }) else { return false }
        let new = Subscription(topics, at: desk) { [weak self] in self?.flush(address) }
        let isIn = all.withLock { all in
            // Another thread may have used the space meanwhile.
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

    /// Records a message from an address, which is therefore not silent.
    func heard(_ address: ControlAddress) {
        all.withLock { all in
            all.messages += 1
            all.subscribers[address]?.heard = all.messages
        }
    }

    /// Subscribed addresses.
    var addresses: Set<ControlAddress> { all.withLock { Set($0.subscribers.keys) } }

    /// Removes an address.
    func remove(_ address: ControlAddress) { all.withLock { $0.subscribers[address] = nil } }

    /// Removes all addresses.
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
