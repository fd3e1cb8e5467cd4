import Synchronization

/// Design of filters during a capture, one at a time, run through a dispatcher. One thread calls the methods.
final class FilterDesk {
    /// Settings of a design.
    struct Request: Equatable {
        var orientation: InputOrientation
        var rendition: StereoRendition
    }

    /// Mailbox for the result of the designing thread.
    private final class Tray: Sendable {
        let result = Mutex<Result<CaptureFilters, CaptureError>?>(nil)
    }

    private let dispatches: Dispatching
    private var running: (request: Request, tray: Tray)?
    /// Newest request, during another design.
    private var next: Request?

    /// Creates a desk without a design.
    init(_ dispatches: @escaping Dispatching) { self.dispatches = dispatches }

    /// Newest request that is not in force yet; nil without one.
    var request: Request? { next ?? running?.request }

    /// Begins a design, or queues it during another one; it replaces a request in the queue.
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

    /// Returns a complete design, once. If a newer request waits, its design begins and the complete one is discarded.
    func take(_ chain: CaptureChain) -> (Request, Result<CaptureFilters, CaptureError>)? {
        guard let (request, tray) = running, let result = tray.result.withLock({ $0 }) else { return nil }
        running = nil
        guard let wanted = next else { return (request, result) }
        next = nil
        ask(wanted, chain)
        return take(chain)
    }
}
