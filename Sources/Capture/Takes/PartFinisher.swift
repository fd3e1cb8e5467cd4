import AudioIO
import Dispatch
import Signal
import Synchronization

/// Completes parts of a take (sets of files) through a dispatcher, by default each on a separate thread. Completion
/// waits for the disk while the capture continues.
final class PartFinisher: Sendable {
    private struct State {
        var running = 0
        var incidents: [CaptureIncident] = []
    }
    /// Invariant that permits unchecked sharing: the thread that passes on a part does not use it afterwards.
    private struct Handed: @unchecked Sendable { let part: CapturePart }
    /// Runs each closure on a separate thread. If no thread can be started, the closure runs immediately, which delays
    /// the capture.
    static let threads: Dispatching = { work in
        do throws(WorkerError) { try Worker.detach("capture finish", work) } catch { work() }
    }

    private let dispatches: Dispatching
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    /// Creates an object without parts.
    init(_ dispatches: @escaping Dispatching = threads) { self.dispatches = dispatches }

    /// Whether the completion of all parts has ended or failed.
    var isIdle: Bool { state.withLock { $0.running == 0 } }

    /// Begins the completion of a part, which the caller must not use afterwards.
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

    /// Returns the incidents of parts since the last call, except those of empty parts.
    func incidents() -> [CaptureIncident] {
        state.withLock { state in
            defer { state.incidents = [] }
            return state.incidents.filter { $0 != .completed([]) }
        }
    }

    /// Waits up to `seconds` for all parts. Returns their incidents, and another one if the time was too short.
    func wait(_ seconds: Double) -> [CaptureIncident] {
        let end = DispatchTime.now() + seconds
        while !isIdle {
            guard done.wait(timeout: end) == .success else {
                let reason = "the disk was too slow: files that are not complete remain as .part files"
                return incidents() + [.incomplete(reason)]
            }
        }
        return incidents()
    }
}
