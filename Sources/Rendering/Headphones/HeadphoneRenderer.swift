import Headphones
import Signal
import Synchronization

/// Owner of the headphone equalisation (`HeadphoneStage`): makes, switches and replaces it, and frees filters that are
/// out of use.
///
/// The stage behind `handle` belongs to the audio thread. Filters reach the stage through the exchange; the lock of
/// `held` protects the end of the exchange that all other threads use. The switch is atomic. The renderer must outlive
/// every call of the `StageGraph` that contains the stage.
package final class HeadphoneRenderer: Sendable {
    /// Stage of the audio thread.
    let handle: ThreadOwned<HeadphoneStage>
    private let slice: Int
    private let sampleRate: Double
    private let exchange: BankExchange
    private let flag: SharedPlace<HeadphoneStage.Switch>
    private let held: Mutex<Set<HeadphoneReference>>

    /// Makes the equalisation of a configuration. It is switched on, and in force from the first frame.
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

    /// Replaces the filter, or removes it if `filter` is nil. The new filter first runs unheard to fill its memory,
    /// then fades in within 20 ms. Takes some milliseconds. `filter` must have the stage's sample rate. Any thread
    /// except the audio thread may call it.
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

    /// Switches between the equalised sound and dry sound of equal loudness, within 20 ms. Any thread may call it.
    package func set(on: Bool) { flag.pointee.isOn.store(on, ordering: .relaxed) }

    /// Number of filters in memory: the filter in use, and filters that are not yet in use or not yet freed.
    package var count: Int {
        held.withLock { held in
            collect(&held)
            return held.count
        }
    }

    /// Frees the players that the audio thread has returned.
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
