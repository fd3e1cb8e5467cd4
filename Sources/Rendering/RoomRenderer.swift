import Rooms
import Signal
import Synchronization

/// Owner of a `RoomStage`: makes, switches and frees the stage, publishes rooms, and frees rooms that are out of use.
///
/// The stage behind `handle` belongs to the audio thread. Rooms reach the stage through the exchange; the lock of
/// `held` protects the end of the exchange that all other threads use. The switch is atomic. The renderer must outlive
/// every call of the `StageGraph` that contains the stage.
final class RoomRenderer: Sendable {
    /// Stage of the audio thread.
    let handle: ThreadOwned<RoomStage>
    private let configuration: StageConfiguration
    private let exchange: BankExchange
    private let flag: SharedPlace<RoomStage.Switch>
    private let held: Mutex<[RoomReference]>

    /// Makes a stage without a room. The switch is on.
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

    /// Offers a room. From the next slice on, or after the present crossfade, the room fades in and the previous one
    /// fades out. Any thread except the audio thread may call it.
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

    /// Switches the room on or off.
    func set(on: Bool) { flag.pointee.isOn.store(on, ordering: .relaxed) }

    /// Number of rooms in memory: the room in use, and rooms that are not yet in use or not yet freed.
    var count: Int {
        held.withLock { held in
            collect(&held)
            return held.count
        }
    }

    /// Frees the rooms that the audio thread has returned.
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
