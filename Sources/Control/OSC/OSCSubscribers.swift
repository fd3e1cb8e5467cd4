import OSC
import Session
import Synchronization

/// Who is sent what is in force, what happens and what moves, over UDP: addresses that were registered, by their owner or
/// by anybody who knows them (a tool that takes another port for each message registers a listener beside it). Until
/// they are taken off, or the session ends. Any thread.
final class OSCSubscribers: Sendable {
    /// The most there may be at a time.
    static let capacity = 32

    private let desk: SessionDesk
    private let send: @Sendable (_ bytes: [UInt8], _ host: String, _ port: Int) -> Void
    private let all = Mutex<[ControlAddress: Subscription]>([:])
    /// Held from taking what there is to send until it is sent: who takes later sends later.
    private let sending = Mutex<Void>(())

    /// Nobody; what is told goes out by `send`, which never waits.
    init(at desk: SessionDesk, send: @escaping @Sendable (_ bytes: [UInt8], _ host: String, _ port: Int) -> Void) {
        self.desk = desk
        self.send = send
    }

    /// Puts an address on the list, or gives it other topics. False: the list is full.
    func set(_ address: ControlAddress, _ topics: Set<Subscription.Topic>) -> Bool {
        let isFull = all.withLock { $0[address] == nil && $0.count >= Self.capacity }
        guard !isFull else { return false }
        let new = Subscription(topics, at: desk) { [weak self] in self?.flush(address) }
        all.withLock { $0[address] = new }
        flush(address)
        return true
    }

    /// Takes an address off the list.
    func remove(_ address: ControlAddress) { all.withLock { $0[address] = nil } }

    /// Takes everybody off the list.
    func end() { all.withLock { $0 = [:] } }

    private func flush(_ address: ControlAddress) {
        sending.withLock { _ in
            guard let subscription = all.withLock({ $0[address] }) else { return }
            for packet in OSCNews.packets(subscription.take()) {
                send(packet.encoded(), address.numericHost, address.port)
            }
        }
    }
}
