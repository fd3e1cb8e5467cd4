import Signal
import Synchronization

/// The owner of a stage's chains: makes plans of what is asked for, one change after the other, and frees what is done.
///
/// The stage behind `handle` belongs to the audio thread; plans cross by the exchange, and this side of it is guarded
/// by `control`. Must outlive every call of the graph it is a member of.
package final class InsertRenderer: Sendable {
    /// Where there are chains.
    package let places: InsertPlaces
    /// What the audio thread works with.
    package let handle: ThreadOwned<InsertStage>
    private let exchange: SharedPlace<InsertExchange>
    private let builder: InsertPlanning

    private struct Control {
        var requested: [[InsertRequest]]
        /// The plan in force or on its way there, and those before it that the audio thread may still use.
        var current: InsertRecord
        var before: [InsertRecord] = []
    }
    private let control: Mutex<Control>

    /// Chains that are empty.
    package init(_ places: InsertPlaces, sampleRate: SampleRate, slice: Int) {
        self.places = places
        exchange = SharedPlace(InsertExchange())
        handle = ThreadOwned(
            InsertStage(
                exchange: exchange.pointer, channels: places.channels.max() ?? 0, sampleRate: sampleRate, slice: slice))
        builder = InsertPlanning(places: places, sampleRate: sampleRate, slice: slice)
        let empty = [[InsertRequest]](repeating: [], count: places.count)
        control = Mutex(Control(requested: empty, current: InsertRecord(empty: places)))
    }

    deinit {
        handle.deallocate()
        exchange.deallocate()
    }

    /// Asks for other chains, `[place]`; they come into force in one or, where inserts change places, two changes, as
    /// `advance` is called. Any thread but the audio thread.
    package func ask(for chains: [[InsertRequest]]) {
        precondition(chains.count == places.count, "a chain for every place")
        control.withLock { $0.requested = chains }
        advance()
    }

    /// Takes the next step to what is asked for, and lets go of what is done with. To be called now and then, every
    /// 10 ms or so while not `isSettled`. Any thread but the audio thread.
    package func advance() {
        control.withLock { control in
            collect(&control)
            // What the audio thread has not looked at yet is not in force: it is planned anew.
            if !control.current.isIn(control.requested), let last = control.before.last,
                exchange.pointee.withdraw() != nil
            {
                control.current = last
                control.before.removeLast()
            }
            guard exchange.pointee.completed == control.current.serial, control.before.isEmpty else { return }
            guard let next = builder.next(after: control.current, towards: control.requested) else { return }
            control.before.append(control.current)
            control.current = next
            exchange.pointee.publish(next.plan.pointer)
        }
    }

    /// Whether the chains asked for are in force, and all others let go of.
    package var isSettled: Bool {
        control.withLock { control in
            collect(&control)
            return exchange.pointee.completed == control.current.serial && control.before.isEmpty
                && builder.next(after: control.current, towards: control.requested) == nil
        }
    }

    /// How late the chains make the sound, as the newest plan will have it.
    package var latency: InsertLatency { control.withLock { places.total(for: $0.current.latencies) } }

    /// Lets go of plans the audio thread handed back.
    private func collect(_ control: inout Control) {
        while let done = exchange.pointee.collect() { control.before.removeAll { $0.plan.pointer == done } }
        // The first plan of all never was the audio thread's.
        if exchange.pointee.completed == control.current.serial { control.before.removeAll { $0.serial == 0 } }
    }
}
