import Headphones
import Signal
import Synchronization

/// The owner of the headphones' equalisation: makes it, switches it, replaces it, frees what is done with.
///
/// The stage behind `handle` belongs to the audio thread; filters cross by the exchange and the switch is atomic; this
/// side of the exchange is guarded by `held`. Must outlive every call of the graph it is a member of.
package final class HeadphoneRenderer: Sendable {
    /// What the audio thread works with.
    let handle: ThreadOwned<HeadphoneStage>
    private let slice: Int
    private let sampleRate: Double
    private let exchange: BankExchange
    private let flag: SharedPlace<HeadphoneStage.Switch>
    private let held: Mutex<Set<HeadphoneReference>>

    /// With the filter of a configuration, in force from the first frame; switched on.
    init(_ configuration: StageConfiguration) {
        slice = configuration.slice
        sampleRate = configuration.sampleRate.hertz
        exchange = BankExchange()
        flag = SharedPlace(HeadphoneStage.Switch())
        held = Mutex([])
        handle = ThreadOwned(
            HeadphoneStage(slice: slice, sampleRate: sampleRate, exchange: exchange, flag: flag.pointer))
        if let filter = configuration.headphones { publish(filter) }
    }

    deinit {
        handle.deallocate()
        held.withLock { held in
            for player in held { Self.free(player) }
            held = []
        }
        flag.deallocate()
        exchange.deallocate()
    }

    /// Replaces the filter, by none where it is nil: the new one runs unheard until it is full of sound, and fades in
    /// within 20 ms. Any thread but the audio thread; some milliseconds.
    package func publish(_ filter: HeadphoneFilter?) {
        precondition(filter.map { $0.sampleRate.hertz == sampleRate } ?? true, "a filter is of the stage's rate")
        let player = UnsafeMutablePointer<HeadphonePlayer>.allocate(capacity: 1)
        player.initialize(to: HeadphonePlayer(filter, slice: slice, sampleRate: sampleRate))
        let reference = HeadphoneReference(address: UInt(bitPattern: player))
        held.withLock { held in
            collect(&held)
            held.insert(reference)
            if let untaken = exchange.publish(BankReference(address: reference.address)) {
                discard(untaken, &held)
            }
        }
    }

    /// Has it heard or, as loud, the sound without it; within 20 ms. Any thread.
    package func set(on: Bool) { flag.pointee.isOn.store(on, ordering: .relaxed) }

    /// Filters held at the moment: the one in use and any not yet replaced or freed.
    package var count: Int {
        held.withLock { held in
            collect(&held)
            return held.count
        }
    }

    /// Frees what the audio thread handed back.
    private func collect(_ held: inout Set<HeadphoneReference>) {
        while let done = exchange.collect() { discard(done, &held) }
    }

    private func discard(_ reference: BankReference, _ held: inout Set<HeadphoneReference>) {
        let player = HeadphoneReference(address: reference.address)
        Self.free(player)
        held.remove(player)
    }

    private static func free(_ player: HeadphoneReference) {
        player.pointer.deinitialize(count: 1)
        player.pointer.deallocate()
    }
}
