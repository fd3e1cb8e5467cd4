import Foundation
import Signal
import Synchronization

/// Reads a list of files into a `ProgrammeQueue` on its own thread, and performs jumps.
///
/// All files have as many channels as the first, and follow each other without a gap. The open file belongs to the
/// thread. A lock protects requests and positions.
final class PlaybackReader: Sendable {
    /// The file and frame from which a played frame came.
    private struct Place {
        /// Number of frames that were played before this frame.
        var played: Int
        var file: Int
        var frame: Int
    }

    private struct State {
        /// Sources of the frames that were played recently or are read ahead, in order.
        var places: [Place] = []
        var request: (file: Int, frame: Int)?
        var loops = false
        var failure: SoundFileError?
        var nonFinite = 0
        var lengths: [Int]
    }

    let queue: ThreadOwned<ProgrammeQueue>
    private let entries: [PlaylistEntry]
    /// File and frame at which playback starts.
    private let first: (file: Int, frame: Int)
    private let rate: SampleRate
    private let state: Mutex<State>
    private let worker = Worker(name: "preview")
    private static let chunkFrames = 4096

    /// Opens every file once, to check it and to read its length. Then starts the thread.
    ///
    /// - Throws: The errors of opening a file; `wrongChannelCount`; `endsBefore` if `seconds` does not lie within the
    ///   file `firstFile`; `system` if the system provides no thread.
    init(
        _ entries: [PlaylistEntry], rate: SampleRate, firstFile: Int = 0, seconds: Double = 0
    ) throws(SoundFileError) {
        var lengths: [Int] = []
        var channels = 0
        for entry in entries {
            let file = try PlaybackFile(entry, rate: rate)
            if lengths.isEmpty { channels = file.reader.channelCount }
            guard file.reader.channelCount == channels else {
                throw .wrongChannelCount(
                    path: entry.path, found: file.reader.channelCount, expected: channels, layouts: [])
            }
            lengths.append(file.frameCount)
        }
        self.entries = entries
        guard let frame = Self.frame(at: seconds, rate: rate), frame < lengths[firstFile] else {
            throw .endsBefore(
                path: entries[firstFile].path, asked: seconds, seconds: rate.seconds(frames: lengths[firstFile]))
        }
        first = (firstFile, frame)
        self.rate = rate
        state = Mutex(State(lengths: lengths))
        // Four seconds are longer than a disk needs to spin up.
        queue = ThreadOwned(ProgrammeQueue(channels: channels, capacityFrames: Int(4 * rate.hertz)))
        do throws(WorkerError) { try worker.start { [self] _ in work() } } catch {
            throw .system(path: entries[firstFile].path, reason: error.description)
        }
    }

    deinit {
        queue.deallocate()
    }

    /// Error that ended the reading early; nil without an error.
    var failure: SoundFileError? { state.withLock { $0.failure } }

    /// Number of samples read so far that were not finite or too large, and were replaced.
    var nonFiniteSamples: Int { state.withLock { $0.nonFinite } }

    /// Whether the list repeats. A change takes effect if it is made before the last frame has been played, however far
    /// ahead the reader is.
    var loops: Bool {
        get { state.withLock { $0.loops } }
        set {
            state.withLock {
                $0.loops = newValue
                if goesOn($0) { queue.pointee.isComplete.store(false, ordering: .releasing) }
            }
            worker.wake()
        }
    }

    /// Returns whether a list that was read to its end starts again.
    private func goesOn(_ state: borrowing State) -> Bool {
        state.loops && !queue.pointee.hasEnded.load(ordering: .acquiring)
    }

    /// Present position at the output rate: the file's index in the list, the frame in the file, and the file's length
    /// in frames.
    var position: (file: Int, frame: Int, length: Int) {
        let played = queue.pointee.playedFrames
        return state.withLock { state in
            if let request = state.request { return (request.file, request.frame, state.lengths[request.file]) }
            guard let place = state.places.last(where: { $0.played <= played }) ?? state.places.first else {
                return (first.file, first.frame, state.lengths[first.file])
            }
            let length = state.lengths[place.file]
            return (place.file, min(length, max(0, place.frame + played - place.played)), length)
        }
    }

    /// Requests a jump. The frame is limited to the file's frames.
    func jump(toFile file: Int, frame: Int) {
        state.withLock { $0.request = (file, max(0, min($0.lengths[file], frame))) }
        worker.wake()
    }

    /// Requests a jump. The position is limited to the file's duration.
    func jump(toFile file: Int, seconds: Double) {
        jump(toFile: file, frame: Self.frame(at: seconds, rate: rate) ?? .max)
    }

    /// Returns the frame at a position in seconds; 0 for negative positions. Returns nil if the position is not finite
    /// or later than any file may last.
    private static func frame(at seconds: Double, rate: SampleRate) -> Int? {
        let frame = (max(0, seconds) * rate.hertz).rounded(.down)
        return frame <= Double(SoundFileReader.mostFrames) ? Int(frame) : nil
    }

    /// Ends the thread, and the audio thread's wait for it. If a file server does not answer, the thread is abandoned
    /// after three seconds, with its memory. Further calls have no effect.
    func stop() {
        queue.pointee.isAbandoned.store(true, ordering: .releasing)
        _ = worker.stop(within: 3)
    }

    // MARK: The thread

    private func work() {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: Self.chunkFrames * queue.pointee.channelCount)
        defer { samples.deallocate() }
        do throws(SoundFileError) {
            try read(samples)
        } catch {
            state.withLock { $0.failure = error }
            queue.pointee.isAbandoned.store(true, ordering: .releasing)
        }
    }

    private func read(_ samples: UnsafeMutablePointer<Float>) throws(SoundFileError) {
        var current = first.file
        var pushed = 0
        var isAtEnd = false
        var file = try open(current, at: first.frame, played: 0)
        while !worker.isEnding {
            if let request = state.withLock({ $0.request }) {
                guard park() else { continue }
                pushed = queue.pointee.playedFrames
                current = request.file
                isAtEnd = false
                state.withLock { $0.places = [] }
                file = try open(current, at: request.frame, played: pushed)
                state.withLock { state in
                    // A newer request stays pending.
                    if let newest = state.request, newest.file == request.file, newest.frame == request.frame {
                        state.request = nil
                    }
                }
                pushed += try fill(file, samples, upTo: Int(0.1 * rate.hertz))
                queue.pointee.readyTake.store(queue.pointee.wantedTake.load(ordering: .relaxed), ordering: .releasing)
                continue
            }
            if isAtEnd ? !state.withLock({ goesOn($0) }) : queue.pointee.room < Self.chunkFrames {
                // The queue contains seconds of sound, so a pause here is harmless.
                worker.rest(0.005)
                continue
            }
            if !isAtEnd {
                let count = try fill(file, samples, upTo: 1)
                pushed += count
                guard count == 0 else { continue }
                let isLast = current + 1 == entries.count
                isAtEnd = isLast && state.withLock { isOver($0) }
                if isAtEnd { continue }
            }
            isAtEnd = false
            current = current + 1 == entries.count ? 0 : current + 1
            file = try open(current, at: 0, played: pushed)
        }
    }

    /// Marks the end of the list, unless the list repeats. Returns whether it marked the end.
    private func isOver(_ state: borrowing State) -> Bool {
        if !state.loops { queue.pointee.isComplete.store(true, ordering: .releasing) }
        return !state.loops
    }

    /// Waits until the audio thread no longer reads the queue, then empties it. Returns false if the worker has to end.
    private func park() -> Bool {
        let take = queue.pointee.wantedTake.load(ordering: .relaxed) + 1
        queue.pointee.wantedTake.store(take, ordering: .releasing)
        while queue.pointee.parkedTake.load(ordering: .acquiring) != take {
            if worker.isEnding { return false }
            usleep(500)
        }
        queue.pointee.empty()
        queue.pointee.isComplete.store(false, ordering: .releasing)
        return true
    }

    private func open(_ index: Int, at frame: Int, played: Int) throws(SoundFileError) -> PlaybackFile {
        let file = try PlaybackFile(entries[index], rate: rate)
        try file.seek(to: frame)
        state.withLock { state in
            // The sources of frames that were played long ago are dropped.
            if state.places.count > 64 { state.places.removeFirst(32) }
            state.places.append(Place(played: played, file: index, frame: frame))
        }
        return file
    }

    /// Reads at least `least` frames, if the file has them, in whole chunks. Returns the number of frames read.
    private func fill(
        _ file: PlaybackFile, _ samples: UnsafeMutablePointer<Float>, upTo least: Int
    ) throws(SoundFileError) -> Int {
        var done = 0
        while done < least {
            let before = file.nonFinite
            let count = try file.read(into: samples, frames: Self.chunkFrames)
            guard count > 0 else { break }
            if file.nonFinite > before { state.withLock { $0.nonFinite += file.nonFinite - before } }
            queue.pointee.push(samples, count: count)
            done += count
        }
        return done
    }
}
