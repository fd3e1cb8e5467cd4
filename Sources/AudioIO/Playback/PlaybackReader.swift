import Foundation
import Signal
import Synchronization

/// Reads a list of files into a `ProgrammeQueue` on a thread of its own, and carries out jumps.
///
/// All files have as many channels as the first. One follows the other without a gap.
/// The open file belongs to the thread; requests and places are under a lock.
final class PlaybackReader: Sendable {
    /// Where in the programme a played frame comes from.
    private struct Place {
        /// Frames played before it.
        var played: Int
        var file: Int
        var frame: Int
    }

    private struct State {
        /// From the earliest played to the last read.
        var places: [Place] = []
        var request: (file: Int, frame: Int)?
        var loops = false
        var failure: SoundFileError?
        var nonFinite = 0
        var lengths: [Int]
    }

    let queue: ThreadOwned<ProgrammeQueue>
    private let entries: [PlaylistEntry]
    /// Where playing begins.
    private let first: (file: Int, frame: Int)
    private let rate: SampleRate
    private let state: Mutex<State>
    private let worker = Worker(name: "preview")
    private static let chunkFrames = 4096

    /// Opens every file once, to know that it can be played and how long it is, and starts the thread.
    ///
    /// - Throws: what opening a file throws; `wrongChannelCount`; `endsBefore` where `seconds` is not within
    ///   `firstFile`.
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
        // Four seconds: longer than a disk that wakes up.
        queue = ThreadOwned(ProgrammeQueue(channels: channels, capacityFrames: Int(4 * rate.hertz)))
        do throws(WorkerError) { try worker.start { [self] _ in work() } } catch {
            throw .system(path: entries[firstFile].path, reason: error.description)
        }
    }

    deinit {
        queue.deallocate()
    }

    /// Why reading ended early; nil while all is well.
    var failure: SoundFileError? { state.withLock { $0.failure } }

    /// Samples read so far that were not finite; silence took their place.
    var nonFiniteSamples: Int { state.withLock { $0.nonFinite } }

    /// Whether the list begins again when it ends. Said before its last frame has been played, it holds, however far
    /// ahead was read.
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

    /// Whether a list that was read to its end begins again.
    private func goesOn(_ state: borrowing State) -> Bool {
        state.loops && !queue.pointee.hasEnded.load(ordering: .acquiring)
    }

    /// What plays: the file by its place in the list, the frame in it, and its length in frames, all at the rate asked
    /// for.
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

    /// Asks for a jump; the frame is held within the file.
    func jump(toFile file: Int, frame: Int) {
        state.withLock { $0.request = (file, max(0, min($0.lengths[file], frame))) }
        worker.wake()
    }

    /// Asks for a jump; the place is held within the file, whatever the number.
    func jump(toFile file: Int, seconds: Double) {
        jump(toFile: file, frame: Self.frame(at: seconds, rate: rate) ?? .max)
    }

    /// The frame at so many seconds, 0 before the beginning; nil where that is no number or beyond any file.
    private static func frame(at seconds: Double, rate: SampleRate) -> Int? {
        let frame = (max(0, seconds) * rate.hertz).rounded(.down)
        return frame <= Double(SoundFileReader.mostFrames) ? Int(frame) : nil
    }

    /// Ends the thread, and the audio thread's waiting for it. A file server that does not answer holds it up: it is
    /// then left to itself, with all it uses, after three seconds. Idempotent.
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
                    // A newer request than this one waits for its own turn.
                    if let newest = state.request, newest.file == request.file, newest.frame == request.frame {
                        state.request = nil
                    }
                }
                pushed += try fill(file, samples, upTo: Int(0.1 * rate.hertz))
                queue.pointee.readyTake.store(queue.pointee.wantedTake.load(ordering: .relaxed), ordering: .releasing)
                continue
            }
            if isAtEnd ? !state.withLock({ goesOn($0) }) : queue.pointee.room < Self.chunkFrames {
                // The queue holds seconds.
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

    /// Says that nothing more comes, unless the list begins again.
    private func isOver(_ state: borrowing State) -> Bool {
        if !state.loops { queue.pointee.isComplete.store(true, ordering: .releasing) }
        return !state.loops
    }

    /// Waits until the audio thread leaves the queue alone, and empties it; false where the work is to end.
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
            // What was played long since is of no interest.
            if state.places.count > 64 { state.places.removeFirst(32) }
            state.places.append(Place(played: played, file: index, frame: frame))
        }
        return file
    }

    /// Reads at least `least` frames where there are as many, in whole chunks; returns how many.
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
