@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Turns Ctrl-C and a request to terminate into a wish that work can ask for, instead of death on the spot.
final class Interrupt: Sendable {
    private let wished = Atomic<Bool>(false)
    private let sources: [any DispatchSourceSignal]

    /// Listens from now on; `then` runs at the first signal.
    init(then: @escaping @Sendable () -> Void = {}) {
        // SIG_IGN keeps the default action from ending the process before the source is told.
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [unowned self] in
                if !wished.exchange(true, ordering: .relaxed) { then() }
            }
            source.resume()
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Whether the user wants the work to end.
    var isWished: Bool { wished.load(ordering: .relaxed) }
}
