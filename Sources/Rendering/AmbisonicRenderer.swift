import Convolution
import HRTF
import Signal
import Soundstage
import Synchronization

/// Owner of an `AmbisonicStage`: makes and frees the stage, and publishes new filters when the HRTF set changes.
///
/// The stage behind `handle` belongs to the audio thread. Filters reach the stage through the exchange; the lock of
/// `held` protects the end of the exchange that all other threads use. The renderer must outlive every call of the
/// `StageGraph` that contains the stage.
final class AmbisonicRenderer: Sendable {
    /// Stage of the audio thread.
    let handle: ThreadOwned<AmbisonicStage>
    private let order: Int
    private let tapCount: Int
    private let length: Int
    private let exchange: BankExchange
    private let held: Mutex<[AmbisonicFiltersReference]>

    /// Makes a stage with the decoding filters for a set of HRTF responses. Computing them takes up to half a second at
    /// order 7.
    init(_ format: AmbisonicFormat, slice: Int, fade: Int, field: FilterField) {
        order = format.order
        tapCount = AmbisonicDecoder.tapCount(for: field)
        length = OddFourier.length(atLeast: slice + tapCount - 1)
        exchange = BankExchange()
        let fourier = OddFourier(length: length)
        let first = AmbisonicRenderer.filters(
            AmbisonicDecoder(order: order, field: field, tapCount: tapCount), fourier)
        held = Mutex([first])
        handle = ThreadOwned(
            AmbisonicStage(
                format, slice: slice, fade: fade, fourier: fourier, filters: first, exchange: exchange))
    }

    deinit {
        handle.deallocate()
        held.withLock { held in
            for filters in held { AmbisonicRenderer.free(filters) }
            held = []
        }
        exchange.deallocate()
    }

    /// Computes and publishes the filters for other HRTF responses at the same sample rate. They fade in over the next
    /// slice that begins. They have as many taps as the first filters; longer responses are faded out at that length.
    /// Any thread except the audio thread may call it.
    func publish(field: FilterField) {
        let filters = AmbisonicRenderer.filters(
            AmbisonicDecoder(order: order, field: field, tapCount: tapCount), OddFourier(length: length))
        held.withLock { held in
            while let done = exchange.collect() { discard(done, &held) }
            held.append(filters)
            if let untaken = exchange.publish(BankReference(address: filters.address)) { discard(untaken, &held) }
        }
    }

    private func discard(_ reference: BankReference, _ held: inout [AmbisonicFiltersReference]) {
        let filters = AmbisonicFiltersReference(address: reference.address)
        AmbisonicRenderer.free(filters)
        held.removeAll { $0 == filters }
    }

    private static func filters(
        _ decoder: AmbisonicDecoder, _ fourier: borrowing OddFourier
    ) -> AmbisonicFiltersReference {
        let filters = UnsafeMutablePointer<AmbisonicFilters>.allocate(capacity: 1)
        filters.initialize(to: AmbisonicFilters(decoder, fourier: fourier))
        return AmbisonicFiltersReference(address: UInt(bitPattern: filters))
    }

    private static func free(_ filters: AmbisonicFiltersReference) {
        filters.pointer.deinitialize(count: 1)
        filters.pointer.deallocate()
    }
}
