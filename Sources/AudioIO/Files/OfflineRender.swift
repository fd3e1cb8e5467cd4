import CRealtime
import Rendering
import Signal

/// Renders a sound file block by block, through the same `StageRenderer` as live operation. Needs constant memory.
///
/// The renderer's latency is removed, so the first output frame corresponds to the first input frame. The output is as
/// long as the input or, if `keepsTail` is true, longer by the decay of the filters (`tailFrames`). Only the frames in
/// `section` are written. Live poses are ignored (`PeriodTime.live` is false): the head faces the front, or follows a
/// fixed pose or a pose log.
package struct OfflineRender: Sendable {
    /// Progress of a render.
    package struct Progress: Sendable {
        /// Share of the work that is done, 0…1.
        package var fraction: Double
        /// Remaining time at the average speed so far, seconds. Nil in the first half second, and until the latency has
        /// passed.
        package var secondsLeft: Double?
        /// Average speed so far; 1 is real time. It is 0 in the last report.
        package var speed: Double
    }

    /// Result of a render.
    package struct Summary: Sendable, Equatable {
        /// Frames in the output file.
        package var frames: Int
        /// Largest magnitude of an output sample; 1 is full scale.
        package var peak: Float
    }

    /// Frames per block, 1…8192. A block corresponds to a period of JACK.
    package var blockFrames: Int
    /// Length of the tail after the input's last frame, frames: the length of the longest response less one.
    package var tailFrames: Int
    /// Whether the tail is part of the output.
    package var keepsTail: Bool

    /// Sets the options. `blockFrames` is limited to 1…8192, `tailFrames` to 0 and more.
    package init(blockFrames: Int = 1024, tailFrames: Int = 0, keepsTail: Bool = true) {
        self.blockFrames = max(1, min(8192, blockFrames))
        self.tailFrames = max(0, tailFrames)
        self.keepsTail = keepsTail
    }

    /// Range of output frames to write. Frame 0 is the first one after the removed latency. The range may extend into
    /// the tail if `keepsTail` is true, and is clamped to the output's length. Nil writes the whole output.
    package var section: Range<Int>?

    /// Closure that receives each block of a render. `heard` is the range of input frames that lie in `section`, `kept`
    /// the range of output frames that lie in `section`. Both are counted from the start of the block.
    package typealias Listener = (
        _ input: borrowing PlanarBlock, _ heard: Range<Int>, _ ears: borrowing PlanarBlock, _ kept: Range<Int>
    ) -> Void

    /// Renders `input`, from its present position on, and writes the output to `output`: the whole output, or only the
    /// frames in `section`. All closures are called on the calling thread.
    ///
    /// - Parameters:
    ///   - renderer: Renderer with the input's number of channels and sample rate. It must not be used elsewhere.
    ///   - completes: Whether the file gets its final name at the end. Otherwise the caller calls `output.finish()`.
    ///   - beginning: Called before each block with the index of its first input frame, counted from 0.
    ///   - progress: Called at most ten times a second, and at the end with fraction 1.
    ///   - listener: Called for every block.
    ///   - isCancelled: Called before each block. A result of true ends the work with the error `cancelled` and leaves
    ///     no file.
    /// - Returns: Length and peak of what was written.
    /// - Throws: The errors of reading and writing, and `cancelled`. The output's temporary file is then removed.
    package func run(
        from input: SoundFileReader, through renderer: StageRenderer, into output: SoundFileWriter,
        completes: Bool = true, beginning: (Int) -> Void = { _ in }, progress: (Progress) -> Void = { _ in },
        listener: Listener? = nil,
        isCancelled: () -> Bool = { false }
    ) throws(SoundFileError) -> Summary {
        do {
            let summary = try render(input, renderer, output, beginning, progress, listener, isCancelled)
            if completes { try output.finish() }
            progress(Progress(fraction: 1, secondsLeft: 0, speed: 0))
            return summary
        } catch {
            output.discard()
            throw error
        }
    }

    private func render(
        _ input: SoundFileReader, _ renderer: StageRenderer, _ output: SoundFileWriter,
        _ beginning: (Int) -> Void, _ progress: (Progress) -> Void, _ listener: Listener?, _ isCancelled: () -> Bool
    ) throws(SoundFileError) -> Summary {
        let source = PlanarBlock(channels: input.channelCount, frames: blockFrames)
        let ears = PlanarBlock(channels: 2, frames: blockFrames)
        let inputs = UnsafeRawPointer(source.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let length = input.frameCount + (keepsTail ? tailFrames : 0)
        let section = (section ?? 0..<length).clamped(to: 0..<length)
        var (heard, made) = (KeptFrames(section.clamped(to: 0..<input.frameCount)), KeptFrames(section))
        var toDrop = renderer.latencyFrames
        var summary = Summary(frames: 0, peak: 0)
        var streamFrame = 0
        let started = prc_monotonic_nanoseconds()
        var reported = started
        while !made.isDone {
            if isCancelled() { throw .cancelled }
            let count = try input.read(into: source, frames: blockFrames)
            if count < blockFrames {
                for channel in 0..<input.channelCount {
                    (source[channel] + count).update(repeating: 0, count: blockFrames - count)
                }
            }
            beginning(streamFrame)
            renderer.handle.pointee.process(
                inputs: inputs, outputs: ears.pointers, frames: blockFrames,
                time: PeriodTime(restart: streamFrame == 0, live: false, heardAt: 0))
            streamFrame += blockFrames
            let dropped = min(toDrop, blockFrames)
            toDrop -= dropped
            let frames = min(blockFrames - dropped, section.upperBound - made.position)
            let kept = made.next(frames)
            listener?(source, heard.next(count), ears, (dropped + kept.lowerBound)..<(dropped + kept.upperBound))
            try output.write(ears, from: dropped, frames: frames, kept: kept)
            for ear in 0..<2 {
                for i in kept { summary.peak = max(summary.peak, abs(ears[ear][dropped + i])) }
            }
            summary.frames += kept.count
            let now = prc_monotonic_nanoseconds()
            if now - reported > 100_000_000 {
                reported = now
                let elapsed = Double(now - started) * 1e-9
                let fraction = made.share
                progress(
                    Progress(
                        fraction: fraction,
                        secondsLeft: elapsed > 0.5 && fraction > 0 ? elapsed * (1 - fraction) / fraction : nil,
                        speed: input.sampleRate.seconds(frames: made.position) / elapsed))
            }
        }
        return summary
    }
}
