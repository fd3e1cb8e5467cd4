import CRealtime
import Foundation
import Glibc
import Signal
import Synchronization
import Takes

/// Writes what the audio thread leaves in a tap into a sound file, on a thread of its own, which also completes the
/// file.
///
/// The file opens at any time, as `NAME.part`, and then tells of all but the last half second; every five seconds it is
/// brought to the disk. Where the disk is full the recording ends: the file is completed as far as it goes, and what
/// plays plays on.
///
/// The writer is handed over to the thread, which holds the recorder until it has ended; the outcome is under a lock.
package final class Recorder: Sendable {
    /// What was recorded.
    package struct Summary: Sendable, Equatable {
        /// Frames in the file.
        package var frames: Int
        /// Frames lost because the file could not be written fast enough.
        package var droppedFrames: Int
        /// The file, which may have got another name than was asked for; nil where nothing was recorded, and there is
        /// none.
        package var path: String?
    }

    /// The file being recorded, as it was named.
    package let path: String
    let tap: ThreadOwned<RecorderTap>
    private let handover: Handover<SoundFileWriter>
    /// Where the file grows.
    private let takePath: String
    private let sampleRate: SampleRate
    private let worker = Worker(name: "recorder")
    private let isDiscarding = Atomic<Bool>(false)
    private let recorded = Atomic<Int>(0)
    /// Whether what was written is being brought to the disk.
    private let isBringing = Atomic<Bool>(false)
    private let outcome = Mutex(Outcome())

    private let labels: Mutex<MarkerLabels>

    /// What came of it.
    private struct Outcome {
        /// Why it ended early.
        var failure: SoundFileError?
        /// The file it is in.
        var path: String?
    }

    /// Seconds between two headers: a header is a hundred bytes.
    private static let headerInterval = 0.25
    /// Seconds after which what was written is brought to the disk, on a thread that no other waits for.
    private static let diskInterval = 5.0

    /// Opens the file and starts the thread.
    ///
    /// - Parameters:
    ///   - waitsForStart: recording begins with the next stream start instead of at once.
    ///   - replaces: a file of that name is replaced when the recording is complete; else that is an error.
    init(
        path: String, sampleRate: SampleRate, encoding: SampleEncoding?, waitsForStart: Bool, replaces: Bool = false
    ) throws(SoundFileError) {
        let writer = try SoundFileWriter(
            path: path, channels: 2, sampleRate: sampleRate, encoding: encoding, asTake: true, replaces: replaces)
        takePath = writer.takePath
        handover = Handover(writer)
        self.path = path
        self.sampleRate = sampleRate
        labels = Mutex(MarkerLabels(of: path, rate: sampleRate.hertz))
        // Five seconds: longer than a disk stalls.
        tap = ThreadOwned(RecorderTap(capacityFrames: Int(5 * sampleRate.hertz), waitsForStart: waitsForStart))
        let number = Unfinished.add { [weak self] in self?.completeInHaste() }
        do throws(WorkerError) {
            try worker.start { [self] _ in
                drain()
                Unfinished.forget(number)
            }
        } catch {
            Unfinished.forget(number)
            throw .system(path: path, reason: error.description)
        }
    }

    deinit {
        tap.deallocate()
    }

    /// Why the recording ended early, once its file is complete as far as it goes; nil while all is well.
    package var failed: SoundFileError? { outcome.withLock { $0.failure } }

    /// Frames lost so far.
    package var droppedFrames: Int { tap.pointee.droppedFrames.load(ordering: .relaxed) }

    /// Frames recorded so far.
    package var recordedFrames: Int { recorded.load(ordering: .relaxed) }

    /// Frames that wait for being written.
    var waitingFrames: Int { max(0, tap.pointee.publishedFrames - recordedFrames) }

    /// The markers that were set.
    package var markers: [SoundFileMarker] { labels.withLock { $0.markers } }

    /// Markers that a recording takes.
    package static let mostMarkers = 9999

    /// Sets a marker at what is heard when the driver's frame clock, less its playback latency, stands there; at the
    /// last frame so far in freewheel. Nil: there is no room for more.
    ///
    /// - Parameter name: nil for one by its number.
    /// - Throws: where it cannot be noted beside the recording; there is no such marker then.
    package func mark(_ name: String?, atClock clock: UInt32) throws(SoundFileError) -> SoundFileMarker? {
        let frame = tap.pointee.frame(atClock: clock)
        do throws(TakeError) {
            return try labels.withLock { labels throws(TakeError) in
                guard labels.markers.count < Self.mostMarkers else { return nil }
                let marker = SoundFileMarker(frame: frame, name: name ?? "marker \(labels.markers.count + 1)")
                try labels.add(marker)
                return marker
            }
        } catch {
            throw SoundFileError(error)
        }
    }

    /// Writes what is left and completes the file; no file is made where nothing was recorded. The tap must be off the
    /// audio thread; where a cycle that was held up may still be at it, the recorder must be kept.
    ///
    /// - Parameter seconds: how long the disk is waited for; what takes longer is still completed, unless the program
    ///   ends before.
    /// - Throws: why the recording could not be completed, in time or at all, or ended early.
    @discardableResult
    func finish(within seconds: Double = 10) throws(SoundFileError) -> Summary {
        guard worker.stop(within: seconds) else {
            throw .incomplete(part: takePath, reason: "the disk is too slow")
        }
        let outcome = outcome.withLock { $0 }
        if let failure = outcome.failure { throw failure }
        return Summary(frames: recordedFrames, droppedFrames: droppedFrames, path: outcome.path)
    }

    /// Stops and removes the file. The tap must be off the audio thread, as for `finish`.
    func discard() {
        isDiscarding.store(true, ordering: .relaxed)
        _ = worker.stop(within: 1)
    }

    /// The program is about to be left: completes the file now, or within a second and a half.
    private func completeInHaste() {
        _ = worker.stop(within: 1.5)
    }

    private func drain() {
        guard let writer = handover.take() else { return }
        let limit = 1 << 13
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * limit)
        defer {
            samples.deallocate()
            tap.pointee.isAbandoned.store(true, ordering: .relaxed)
        }
        // The first sound is told of at once.
        var nextHeader = 0.0
        var nextDisk = Self.now + Self.diskInterval
        var told = 0
        while true {
            let isLast = worker.isEnding
            let count = tap.pointee.pop(into: samples, limit: limit)
            if count > 0 {
                do throws(SoundFileError) {
                    try writer.write(interleaved: samples, frames: count)
                } catch {
                    tap.pointee.isAbandoned.store(true, ordering: .relaxed)
                    return complete(writer, error)
                }
                recorded.store(writer.frameCount, ordering: .relaxed)
            } else if isLast {
                return complete(writer, nil)
            }
            let now = Self.now
            if now >= nextHeader, writer.frameCount > told {
                writer.refreshHeader()
                (told, nextHeader) = (writer.frameCount, now + Self.headerInterval)
            }
            if now >= nextDisk {
                bringToDisk(writer)
                nextDisk = now + Self.diskInterval
            }
            // In freewheel the queue fills faster than time goes by, and the audio thread waits for room in it.
            if count < limit { worker.rest(count > limit / 4 ? 0.0005 : 0.005) }
        }
    }

    /// Completes the file, or removes it; `failure`: why it could not be written on.
    private func complete(_ writer: SoundFileWriter, _ failure: SoundFileError?) {
        var found = Outcome(failure: failure)
        if isDiscarding.load(ordering: .relaxed) || (writer.frameCount == 0 && failure == nil) {
            writer.discard()
        } else {
            writer.markers = markers
            do throws(SoundFileError) { found.path = try writer.finish() } catch { found.failure = error }
        }
        if case .stopped(let path, _, _, let reason) = found.failure {
            // Of some formats only whole blocks could be kept.
            found.failure = .stopped(
                path: path, frames: writer.frameCount, seconds: sampleRate.seconds(frames: writer.frameCount),
                reason: reason)
            if writer.frameCount == 0 { found.path = nil }
        }
        recorded.store(writer.frameCount, ordering: .relaxed)
        settleMarkers(of: writer, &found)
        outcome.withLock { $0 = found }
    }

    /// Keeps the markers where the file has them not.
    private func settleMarkers(of writer: SoundFileWriter, _ found: inout Outcome) {
        var file = writer.frameCount > 0 ? found.path : nil
        // What could not get its name is there nevertheless, to be recovered.
        if case .incomplete = found.failure { file = path }
        do throws(TakeError) {
            try labels.withLock { labels throws(TakeError) in
                try labels.settle(kept: writer.hasKeptMarkers, path: file)
            }
        } catch {
            if found.failure == nil { found.failure = SoundFileError(error) }
        }
    }

    /// Brings what was written to the disk on a thread of its own, so that a slow disk holds up no other thread;
    /// one at a time.
    private func bringToDisk(_ writer: SoundFileWriter) {
        guard !isBringing.load(ordering: .acquiring), let descriptor = writer.descriptorForDisk else { return }
        isBringing.store(true, ordering: .relaxed)
        let bring: @Sendable () -> Void = { [self] in
            SoundFileWriter.bringToDisk(descriptor)
            close(descriptor)
            isBringing.store(false, ordering: .releasing)
        }
        // Without a thread it holds up this one, as the queue allows for.
        do throws(WorkerError) { try Worker.detach("recorder disk", bring) } catch { bring() }
    }

    private static var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }
}
