import AudioIO
import Dispatch
import Signal
import Synchronization

/// Completes parts of a take where it is told to have that done, on threads of their own unless said: it waits for the
/// disk, and what is captured does not.
final class PartFinisher: Sendable {
    private struct State {
        var running = 0
        var incidents: [CaptureIncident] = []
    }
    /// Invariant (why it may be shared unchecked): a part is given up by the thread that hands it over.
    private struct Handed: @unchecked Sendable { let part: CapturePart }
    /// Has each piece of work done on a thread of its own; without one, at once, which holds up what is captured.
    static let threads: Dispatching = { work in
        do throws(WorkerError) { try Worker.detach("capture finish", work) } catch { work() }
    }

    private let dispatches: Dispatching
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    /// Nothing to complete yet.
    init(_ dispatches: @escaping Dispatching = threads) { self.dispatches = dispatches }

    /// Whether all that was handed over is complete, or cannot be.
    var isIdle: Bool { state.withLock { $0.running == 0 } }

    /// Completes a part, which is no longer used elsewhere.
    func finish(_ part: CapturePart) {
        let handed = Handed(part: part)
        state.withLock { $0.running += 1 }
        dispatches { [self] in
            let incident: CaptureIncident
            do throws(SoundFileError) {
                incident = .completed(try handed.part.finish())
            } catch {
                incident = .incomplete(error.description)
            }
            state.withLock {
                $0.running -= 1
                $0.incidents.append(incident)
            }
            done.signal()
        }
    }

    /// What came of parts since it was last asked for; parts without a frame are not told.
    func incidents() -> [CaptureIncident] {
        state.withLock { state in
            defer { state.incidents = [] }
            return state.incidents.filter { $0 != .completed([]) }
        }
    }

    /// Waits for all parts, so many seconds; what came of them.
    func wait(_ seconds: Double) -> [CaptureIncident] {
        let end = DispatchTime.now() + seconds
        while !isIdle {
            guard done.wait(timeout: end) == .success else {
                return incidents() + [.incomplete("the disk is too slow: what is not complete lies in .part files")]
            }
        }
        return incidents()
    }
}
