import Signal
import Synchronization

/// Owner of all plugin chains: makes plans for the requested chains, one change after the other, and frees old plans.
///
/// The `InsertStage` behind `handle`, which runs the chains, belongs to the audio thread. Plans reach it through the
/// exchange; the lock of `control` protects the control side of the exchange. The renderer must outlive every call of
/// the rendering code that uses the `InsertStage`.
package final class InsertRenderer: Sendable {
    /// Places of the chains.
    package let places: InsertPlaces
    /// Chains as the audio thread runs them.
    package let handle: ThreadOwned<InsertStage>
    private let exchange: SharedPlace<InsertExchange>
    private let builder: InsertPlanning

    private struct Control {
        var requested: [[InsertRequest]]
        /// Newest plan, in force or published.
        var current: InsertRecord
        /// Older plans that the audio thread may still use.
        var before: [InsertRecord] = []
    }
    private let control: Mutex<Control>

    /// Makes empty chains.
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

    /// Requests other chains, `[place]`. Calls of `advance` bring them into force, by one change, or by two if inserts
    /// change their order. May be called on any thread except the audio thread.
    package func ask(for chains: [[InsertRequest]]) {
        precondition(chains.count == places.count, "a chain for every place")
        control.withLock { $0.requested = chains }
        advance()
    }

    /// Takes the next step towards the requested chains, and frees old plans. Call it about every 10 ms until
    /// `isSettled`. May be called on any thread except the audio thread.
    package func advance() {
        control.withLock { control in
            collect(&control)
            // A plan that the audio thread has not taken is not in force. It is planned again.
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

    /// Whether the requested chains are in force and all old plans are freed.
    package var isSettled: Bool {
        control.withLock { control in
            collect(&control)
            return exchange.pointee.completed == control.current.serial && control.before.isEmpty
                && builder.next(after: control.current, towards: control.requested) == nil
        }
    }

    /// Latency of the chains in the newest plan.
    package var latency: InsertLatency { control.withLock { places.total(for: $0.current.latencies) } }

    /// Frees the plans that the audio thread has returned.
    private func collect(_ control: inout Control) {
        while let done = exchange.pointee.collect() { control.before.removeAll { $0.plan.pointer == done } }
        // The audio thread never had the initial plan, so it does not return that plan.
        if exchange.pointee.completed == control.current.serial { control.before.removeAll { $0.serial == 0 } }
    }
}
