import Synchronization

/// Designer of filters during a capture. It runs one design at a time through a dispatcher. Must be used by one thread
/// at a time.
final class FilterDesk {
    /// Settings of a design.
    struct Request: Equatable {
        var orientation: InputOrientation
        var rendition: StereoRendition
    }

    /// Container for the result, which the designing thread stores.
    private final class Tray: Sendable {
        let result = Mutex<Result<CaptureFilters, CaptureError>?>(nil)
    }

    private let dispatches: Dispatching
    private var running: (request: Request, tray: Tray)?
    /// Newest request, queued during another design.
    private var next: Request?

    /// Creates a designer without a design.
    init(_ dispatches: @escaping Dispatching) { self.dispatches = dispatches }

    /// Newest request that is not in use yet; nil if there is none.
    var request: Request? { next ?? running?.request }

    /// Begins a design, or queues the request during another design. A new request replaces a queued one.
    func ask(_ request: Request, _ chain: CaptureChain) {
        guard running == nil else {
            next = request
            return
        }
        let (tray, work) = (Tray(), chain.design(orientation: request.orientation, rendition: request.rendition))
        running = (request, tray)
        dispatches {
            let result = work()
            tray.result.withLock { $0 = result }
        }
    }

    /// Returns a complete design once; nil if none is complete. If a newer request is queued, the complete design is
    /// discarded and the design of the queued request begins.
    func take(_ chain: CaptureChain) -> (Request, Result<CaptureFilters, CaptureError>)? {
        guard let (request, tray) = running, let result = tray.result.withLock({ $0 }) else { return nil }
        running = nil
        guard let wanted = next else { return (request, result) }
        next = nil
        ask(wanted, chain)
        return take(chain)
    }
}
