import Synchronization

/// Filters that are designed while a capture goes on: one design at a time, wherever the desk is told to have the work
/// done. One thread asks.
final class FilterDesk {
    /// What is to be designed.
    struct Request: Equatable {
        var orientation: InputOrientation
        var rendition: StereoRendition
    }

    /// Where another thread leaves what it has made.
    private final class Tray: Sendable {
        let result = Mutex<Result<CaptureFilters, CaptureError>?>(nil)
    }

    private let dispatches: Dispatching
    private var running: (request: Request, tray: Tray)?
    /// What was asked for last, while another design goes on.
    private var next: Request?

    /// A desk without work.
    init(_ dispatches: @escaping Dispatching) { self.dispatches = dispatches }

    /// What was asked for last and is not in force yet; nil where all is.
    var request: Request? { next ?? running?.request }

    /// Asks for a design; what was asked for before and is not begun is given up.
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

    /// What is complete, once; the next design begins then. What is no longer wanted is not told.
    func take(_ chain: CaptureChain) -> (Request, Result<CaptureFilters, CaptureError>)? {
        guard let (request, tray) = running, let result = tray.result.withLock({ $0 }) else { return nil }
        running = nil
        guard let wanted = next else { return (request, result) }
        next = nil
        ask(wanted, chain)
        return take(chain)
    }
}
