import Foundation
import Signal
import Synchronization

/// Writes what the audio thread leaves in a tap into a sound file, on a thread of its own.
///
/// Invariant (why `@unchecked Sendable` holds): the tap is shared only through its ring and atomics; the writer belongs to
/// the thread until it has ended, which `finish` waits for; the outcome is under a lock.
package final class Recorder: @unchecked Sendable {
    /// What was recorded.
    package struct Summary: Sendable, Equatable {
        /// Frames in the file.
        package var frames: Int
        /// Frames lost because the file could not be written fast enough.
        package var droppedFrames: Int
    }

    /// The file being recorded, as it was named.
    package let path: String
    let tap: UnsafeMutablePointer<RecorderTap>
    private let writer: SoundFileWriter
    private let isStopping = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let failure = Mutex<SoundFileError?>(nil)
    private let isFinished = Atomic<Bool>(false)

    /// Opens the file and starts the thread.
    ///
    /// - Parameter waitsForStart: recording begins with the next stream start instead of at once.
    init(
        path: String, sampleRate: SampleRate, encoding: SampleEncoding?, waitsForStart: Bool
    ) throws(SoundFileError) {
        writer = try SoundFileWriter(path: path, channels: 2, sampleRate: sampleRate, encoding: encoding)
        self.path = path
        tap = .allocate(capacity: 1)
        // Five seconds: longer than a disk stalls.
        tap.initialize(to: RecorderTap(capacityFrames: Int(5 * sampleRate.hertz), waitsForStart: waitsForStart))
        let thread = Thread { [self] in drain() }
        thread.name = "recorder"
        thread.start()
    }

    deinit {
        tap.deinitialize(count: 1)
        tap.deallocate()
    }

    /// Why the recording ended early; nil while all is well.
    package var failed: SoundFileError? { failure.withLock { $0 } }

    /// Frames lost so far.
    package var droppedFrames: Int { tap.pointee.droppedFrames.load(ordering: .relaxed) }

    /// Writes what is left and completes the file. The tap must be off the audio thread. Once only.
    func finish() throws(SoundFileError) -> Summary {
        end()
        if let error = failed { throw error }
        try writer.finish()
        return Summary(frames: writer.frameCount, droppedFrames: droppedFrames)
    }

    /// Stops and removes the file. The tap must be off the audio thread.
    func discard() {
        end()
        writer.discard()
    }

    private func end() {
        guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return }
        isStopping.store(true, ordering: .releasing)
        hasEnded.wait()
    }

    private func drain() {
        let limit = 1 << 13
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * limit)
        defer {
            samples.deallocate()
            hasEnded.signal()
        }
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let count = tap.pointee.pop(into: samples, limit: limit)
            if count > 0 {
                do {
                    try writer.write(interleaved: samples, frames: count)
                } catch {
                    failure.withLock { $0 = error }
                    tap.pointee.isAbandoned.store(true, ordering: .relaxed)
                    return
                }
            } else if isLast {
                return
            } else {
                usleep(2000)
            }
        }
    }
}
