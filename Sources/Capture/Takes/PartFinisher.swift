import AudioIO
import Foundation
import Synchronization

/// Completes parts of a take on threads of their own: that waits for the disk, and what is captured does not.
///
/// Invariant (why `@unchecked Sendable` holds for what is handed over): a part is given up by who hands it over.
final class PartFinisher: Sendable {
    private struct State {
        var running = 0
        var incidents: [CaptureIncident] = []
    }
    private struct Handed: @unchecked Sendable { let part: CapturePart }
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    /// Completes a part, which nobody else uses any more.
    func finish(_ part: CapturePart) {
        let handed = Handed(part: part)
        state.withLock { $0.running += 1 }
        let thread = Thread { [self] in
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
        thread.name = "capture finish"
        thread.start()
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
        while state.withLock({ $0.running > 0 }) {
            guard done.wait(timeout: end) == .success else {
                return incidents() + [.incomplete("the disk is too slow: what is not complete lies in .part files")]
            }
        }
        return incidents()
    }
}
