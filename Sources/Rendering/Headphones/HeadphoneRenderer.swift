import Headphones
import Signal
import Synchronization

/// Owner of the headphone equalisation: makes, switches and replaces it, and frees filters that are out of use.
///
/// The stage behind `handle` belongs to the audio thread. Filters cross by the exchange, whose control side `held`
/// guards; the switch is atomic. Must outlive every call of the graph that contains the stage.
package final class HeadphoneRenderer: Sendable {
    /// Stage of the audio thread.
    let handle: ThreadOwned<HeadphoneStage>
    private let slice: Int
    private let sampleRate: Double
    private let exchange: BankExchange
    private let flag: SharedPlace<HeadphoneStage.Switch>
    private let held: Mutex<Set<HeadphoneReference>>

    /// Takes the filter of a configuration, in force from the first frame and switched on.
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

    /// Replaces the filter, or (nil) removes it. The new one first runs unheard to fill its memory, and then fades in
    /// within 20 ms. Any thread but the audio thread; takes some milliseconds.
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

    /// Switches between the equalised and the equally loud dry sound, within 20 ms. Any thread.
    package func set(on: Bool) { flag.pointee.isOn.store(on, ordering: .relaxed) }

    /// Number of filters held: the one in use and any not yet replaced or freed.
    package var count: Int {
        held.withLock { held in
            collect(&held)
            return held.count
        }
    }

    /// Frees the players that the audio thread handed back.
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
