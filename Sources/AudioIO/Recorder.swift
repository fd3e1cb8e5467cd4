import CRealtime
import Foundation
import Glibc
import Signal
import Synchronization
import Takes

/// Writes the frames from a ring buffer (`RecorderTap`) into a sound file and completes the file, on its own thread.
///
/// During the recording the file is readable as `NAME.part`, up to the last update of its header. The file is
/// synchronised to the disk every five seconds. If the disk is full, the recording ends and the file is complete up to
/// that point. Playback continues.
///
/// The thread owns the writer, and retains the recorder until the thread ends. A lock protects the outcome.
package final class Recorder: Sendable {
    /// Result of a recording.
    package struct Summary: Sendable, Equatable {
        /// Frames in the file.
        package var frames: Int
        /// Frames lost because the file could not be written fast enough.
        package var droppedFrames: Int
        /// Path of the file, which may differ from the requested one. Nil if nothing was recorded; there is then no
        /// file.
        package var path: String?
    }

    /// Requested path of the file.
    package let path: String
    let tap: ThreadOwned<RecorderTap>
    private let handover: Handover<SoundFileWriter>
    /// Path of the file while it grows.
    private let takePath: String
    private let sampleRate: SampleRate
    private let worker = Worker(name: "recorder")
    private let isDiscarding = Atomic<Bool>(false)
    private let recorded = Atomic<Int>(0)
    /// Whether the file is being synchronised to the disk.
    private let isBringing = Atomic<Bool>(false)
    private let outcome = Mutex(Outcome())

    private let labels: Mutex<MarkerLabels>

    /// Result of the recording when the thread has finished with the file.
    private struct Outcome {
        /// Error that ended the recording early, or error of completing the file or its markers; nil without an error.
        var failure: SoundFileError?
        /// Path of the completed file.
        var path: String?
    }

    /// Seconds between two updates of the header. Each update writes about a hundred bytes.
    private static let headerInterval = 0.25
    /// Seconds between two synchronisations of the file, on a separate thread.
    private static let diskInterval = 5.0

    /// Opens the file and starts the thread.
    ///
    /// - Parameters:
    ///   - waitsForStart: Whether recording begins with the next stream start instead of immediately.
    ///   - replaces: Whether an existing file of that name, and the text file of its markers, are replaced when the
    ///     recording is complete. Otherwise an existing file is an error.
    init(
        path: String, sampleRate: SampleRate, encoding: SampleEncoding?, waitsForStart: Bool, replaces: Bool = false
    ) throws(SoundFileError) {
        let writer = try SoundFileWriter(
            path: path, channels: 2, sampleRate: sampleRate, encoding: encoding, asTake: true, replaces: replaces)
        takePath = writer.takePath
        handover = Handover(writer)
        self.path = path
        self.sampleRate = sampleRate
        labels = Mutex(MarkerLabels(of: path, rate: sampleRate.hertz, replaces: replaces))
        // Five seconds are longer than the usual stalls of a disk.
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

    /// Error of the recording or of its completion. It is set when the thread has finished with the file; nil without
    /// an error.
    package var failed: SoundFileError? { outcome.withLock { $0.failure } }

    /// Frames lost so far.
    package var droppedFrames: Int { tap.pointee.droppedFrames.load(ordering: .relaxed) }

    /// Frames recorded so far.
    package var recordedFrames: Int { recorded.load(ordering: .relaxed) }

    /// Frames in the tap that are not written yet.
    var waitingFrames: Int { max(0, tap.pointee.publishedFrames - recordedFrames) }

    /// Markers set so far.
    package var markers: [SoundFileMarker] { labels.withLock { $0.markers } }

    /// Largest number of markers in a recording.
    package static let mostMarkers = 9999

    /// Sets a marker at the frame that was output at `clock`. To mark what is heard, the caller subtracts the playback
    /// latency. In freewheel the marker is set after the last recorded frame. Returns nil if there are already
    /// `mostMarkers` markers.
    ///
    /// - Parameter name: Name of the marker; nil gives it a number.
    /// - Throws: an error if the marker cannot be written beside the recording. The marker is then not set.
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

    /// Writes the remaining frames and completes the file. Without any frames there is no file. The tap must have been
    /// removed from the audio thread. If a delayed cycle may still use the tap, the recorder must be retained.
    ///
    /// - Parameters:
    ///   - seconds: Timeout for the disk. After a timeout the completion continues, unless the process ends first.
    ///   - whenSlow: Called with the path of the growing file, if the disk takes longer than three seconds.
    /// - Throws: The error of the recording, or of completing its file or markers; `incomplete` after a timeout.
    @discardableResult
    func finish(
        within seconds: Double = TakeFile.patience, whenSlow: (String) -> Void = { _ in }
    ) throws(SoundFileError) -> Summary {
        let first = min(seconds, 3)
        if !worker.stop(within: first) {
            if first < seconds { whenSlow(takePath) }
            guard worker.join(within: seconds - first) else {
                throw .incomplete(
                    part: takePath, reason: "the disk did not store the recording within \(Int(seconds)) s")
            }
        }
        let outcome = outcome.withLock { $0 }
        if let failure = outcome.failure { throw failure }
        return Summary(frames: recordedFrames, droppedFrames: droppedFrames, path: outcome.path)
    }

    /// Ends the recording and removes its file, unless the recording has already ended early. Waits for at most one
    /// second. The tap must have been removed from the audio thread, as for `finish`.
    func discard() {
        isDiscarding.store(true, ordering: .relaxed)
        _ = worker.stop(within: 1)
    }

    /// Completes the file before the process exits. Waits for at most one and a half seconds.
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
        // The first frames update the header immediately.
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
            // In freewheel the ring fills faster than in real time, and the audio thread waits for room.
            if count < limit { worker.rest(count > limit / 4 ? 0.0005 : 0.005) }
        }
    }

    /// Completes the file, or removes it. `failure` is the error that ended the writing, if any.
    private func complete(_ writer: SoundFileWriter, _ failure: SoundFileError?) {
        var found = Outcome(failure: failure)
        if isDiscarding.load(ordering: .relaxed) || (writer.frameCount == 0 && failure == nil) {
            writer.discard()
        } else {
            writer.header.markers = markers
            do throws(SoundFileError) { found.path = try writer.finish() } catch { found.failure = error }
        }
        if case .stopped(let path, _, _, let reason) = found.failure {
            // Some formats keep only whole blocks, so the file may have fewer frames than were written.
            found.failure = .stopped(
                path: path, frames: writer.frameCount, seconds: sampleRate.seconds(frames: writer.frameCount),
                reason: reason)
            if writer.frameCount == 0 { found.path = nil }
        }
        recorded.store(writer.frameCount, ordering: .relaxed)
        settleMarkers(of: writer, &found)
        outcome.withLock { $0 = found }
    }

    /// Keeps the text file of the markers if there is a sound file that does not contain them. Otherwise removes the
    /// text file.
    private func settleMarkers(of writer: SoundFileWriter, _ found: inout Outcome) {
        // A file that could not be completed stays as `NAME.part`. Its recovery truncates the file after the sound,
        // where the markers may be. The text file therefore stays too.
        if case .incomplete = found.failure { return labels.withLock { $0.leave() } }
        let file = writer.frameCount > 0 ? found.path : nil
        do throws(TakeError) {
            try labels.withLock { labels throws(TakeError) in
                try labels.settle(kept: writer.header.hasKeptMarkers, path: file)
            }
        } catch {
            if found.failure == nil { found.failure = SoundFileError(error) }
        }
    }

    /// Synchronises the file to the disk on a separate thread, so that a slow disk blocks no other thread. At most one
    /// such thread runs at a time.
    private func bringToDisk(_ writer: SoundFileWriter) {
        guard !isBringing.load(ordering: .acquiring), let descriptor = writer.descriptorForDisk else { return }
        isBringing.store(true, ordering: .relaxed)
        let bring: @Sendable () -> Void = { [self] in
            SoundFileWriter.bringToDisk(descriptor)
            close(descriptor)
            isBringing.store(false, ordering: .releasing)
        }
        // If no other thread can be started, this one waits for the disk. The ring has room for the sound of that time.
        do throws(WorkerError) { try Worker.detach("recorder disk", bring) } catch { bring() }
    }

    private static var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }
}
