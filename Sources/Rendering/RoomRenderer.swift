import Rooms
import Signal
import Synchronization

/// The owner of a room stage: makes it, gives it rooms, switches it, frees what is done with.
///
/// The stage behind `handle` belongs to the audio thread; rooms cross by the exchange and the switch is atomic; this
/// side of the exchange is guarded by `held`. Must outlive every call of the graph it is a member of.
final class RoomRenderer: Sendable {
    /// What the audio thread works with.
    let handle: ThreadOwned<RoomStage>
    private let configuration: StageConfiguration
    private let exchange: BankExchange
    private let flag: SharedPlace<RoomStage.Switch>
    private let held: Mutex<[RoomReference]>

    /// A stage without a room, switched on.
    init(_ configuration: StageConfiguration) {
        self.configuration = configuration
        exchange = BankExchange()
        flag = SharedPlace(RoomStage.Switch())
        held = Mutex([])
        handle = ThreadOwned(RoomStage(configuration: configuration, exchange: exchange, flag: flag.pointer))
    }

    deinit {
        handle.deallocate()
        held.withLock { held in
            for room in held { RoomRenderer.free(room) }
            held = []
        }
        flag.deallocate()
        exchange.deallocate()
    }

    /// Offers a room; it fades in from the next slice on, and the one before it out. Any thread but the audio thread.
    func publish(_ room: RoomResponses) {
        let player = UnsafeMutablePointer<RoomPlayer>.allocate(capacity: 1)
        player.initialize(to: RoomPlayer(room, configuration: configuration))
        let reference = RoomReference(address: UInt(bitPattern: player))
        held.withLock { held in
            collect(&held)
            held.append(reference)
            if let untaken = exchange.publish(BankReference(address: reference.address)) {
                discard(untaken, &held)
            }
        }
    }

    /// Whether the room is to be heard.
    func set(on: Bool) { flag.pointee.isOn.store(on, ordering: .relaxed) }

    /// Rooms held at the moment: the one in use and any not yet replaced or freed.
    var count: Int {
        held.withLock { held in
            collect(&held)
            return held.count
        }
    }

    /// Frees rooms the audio thread handed back.
    private func collect(_ held: inout [RoomReference]) {
        while let done = exchange.collect() { discard(done, &held) }
    }

    private func discard(_ reference: BankReference, _ held: inout [RoomReference]) {
        let room = RoomReference(address: reference.address)
        RoomRenderer.free(room)
        held.removeAll { $0 == room }
    }

    private static func free(_ room: RoomReference) {
        room.pointer.deinitialize(count: 1)
        room.pointer.deallocate()
    }
}
