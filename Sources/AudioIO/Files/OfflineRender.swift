import CRealtime
import Rendering
import Signal

/// Renders a sound file through the same graph as the live drivers, block by block, in constant memory.
///
/// The output starts with the first frame of the input: the graph's look-ahead is removed. It has the input's length,
/// plus the tail of the filters unless `keepsTail` is false: with the tail no sound is cut off, without it the lengths
/// are equal. Live poses are ignored (`PeriodTime.live` is false): the head faces front, or follows a fixed pose or a
/// pose log.
package struct OfflineRender: Sendable {
    /// Progress of a render.
    package struct Progress: Sendable {
        /// Fraction done, 0…1.
        package var fraction: Double
        /// Seconds left at the average pace so far; nil in the first half second.
        package var secondsLeft: Double?
        /// Speed relative to real time.
        package var speed: Double
    }

    /// Result of a render.
    package struct Summary: Sendable, Equatable {
        /// Frames in the output file.
        package var frames: Int
        /// Largest sample of the output, linear.
        package var peak: Float
    }

    /// Frames per block, 1…8192; corresponds to a JACK period.
    package var blockFrames: Int
    /// Length of the tail after the input's last frame, in frames: the length of the longest response less one.
    package var tailFrames: Int
    /// Whether the tail is part of the output.
    package var keepsTail: Bool

    /// Sets the options; `blockFrames` is clamped to 1…8192.
    package init(blockFrames: Int = 1024, tailFrames: Int = 0, keepsTail: Bool = true) {
        self.blockFrames = max(1, min(8192, blockFrames))
        self.tailFrames = max(0, tailFrames)
        self.keepsTail = keepsTail
    }

    /// Section of the output that is kept, frames of the output with its tail; nil: all of it.
    package var section: Range<Int>?

    /// Receives the blocks of a render: a block of the input and the frames kept of it, a block of the output and the
    /// frames kept of that.
    package typealias Listener = (
        _ input: borrowing PlanarBlock, _ heard: Range<Int>, _ ears: borrowing PlanarBlock, _ kept: Range<Int>
    ) -> Void

    /// Renders all of `input` into `output`.
    ///
    /// - Parameters:
    ///   - renderer: renderer with the input's channel count and rate, not in use elsewhere.
    ///   - completes: whether to complete and name the file; else the caller does so.
    ///   - beginning: called before each block with its first stream frame.
    ///   - progress: called about ten times a second on the calling thread.
    ///   - listener: called for every block with the frames of input and output in the section.
    ///   - isCancelled: called before each block; true ends the work with `cancelled` and leaves no file.
    /// - Throws: the errors of reading and writing; the output's temporary file is then removed.
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
