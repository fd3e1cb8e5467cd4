import AudioIO
import Rendering
import Signal
import Soundstage

/// Passes a programme through a matrix of gains, block by block, in constant memory.
struct MatrixConversion {
    /// Summary of the output.
    package struct Summary: Sendable, Equatable {
        /// Count of frames in the section.
        package var frames = 0
        /// Largest magnitude of a sample in the section, before conversion to integers clips it.
        package var peak: Float = 0
        /// Count of samples of the section beyond full scale.
        package var beyondFullScale = 0
        /// Count of input samples that were replaced; see `Samples.cleanse`.
        package var nonFinite = 0
    }

    /// Gains from the programme's channels to those of the output.
    package let matrix: ChannelMatrix
    /// Overall linear gain; 1 leaves samples unchanged.
    package let gain: Float
    /// Headphone equalisation of a two-channel output; nil without one.
    package var equalisation: HeadphoneEqualisation?

    /// Frames per block.
    private static let blockFrames = 4096

    /// Converts from the present position of `programme` to its end.
    ///
    /// - Parameters:
    ///   - writer: receives the output; nil: only the summary is computed.
    ///   - section: frames that are written and summarised; nil: all.
    ///   - completes: whether the output file is completed and receives its name.
    ///   - hears: receives every block of the output, and the range of the block's frames that are in the section.
    ///   - progress: receives the share done; returns false to cancel.
    /// - Throws: errors of reading and writing, `cancelled`; the output is then discarded.
    package func run(
        from programme: some ProgrammeFrames, into writer: SoundFileWriter?, section: Range<Int>? = nil,
        completes: Bool = true,
        hears: (_ output: borrowing PlanarBlock, _ kept: Range<Int>) -> Void = { _, _ in }, progress: (Double) -> Bool
    ) throws(SoundFileError) -> Summary {
        Denormals.flush()
        do throws(SoundFileError) {
            let input = PlanarBlock(channels: programme.channelCount, frames: Self.blockFrames)
            let output = PlanarBlock(channels: matrix.outputCount, frames: Self.blockFrames)
            var summary = Summary()
            var section = KeptFrames(section ?? 0..<programme.frameCount)
            while !section.isDone {
                let count = try programme.read(into: input, frames: Self.blockFrames)
                guard count > 0 else { break }
                for channel in 0..<programme.channelCount {
                    summary.nonFinite += Samples.cleanse(input[channel], to: input[channel], count: count)
                }
                matrix.apply(input.pointers, to: output.pointers, frames: count)
                equalisation?.process(output[0], output[1], count: count)
                let kept = section.next(count)
                for channel in 0..<matrix.outputCount { measure(output[channel], count, kept, &summary) }
                hears(output, kept)
                try writer?.write(output, frames: count, kept: kept)
                summary.frames += kept.count
                guard progress(section.share) else { throw SoundFileError.cancelled }
            }
            summary.nonFinite += programme.refused
            if completes { try writer?.finish() }
            return summary
        } catch {
            writer?.discard()
            throw error
        }
    }

    private func measure(
        _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ kept: Range<Int>, _ summary: inout Summary
    ) {
        if gain != 1 { for i in 0..<count { samples[i] *= gain } }
        let peak = Samples.peak(samples + kept.lowerBound, count: kept.count)
        summary.peak = max(summary.peak, peak)
        if peak > 1 { for i in kept where abs(samples[i]) > 1 { summary.beyondFullScale += 1 } }
    }
}
