import AudioIO
import Loading
import Signal
import Soundstage

/// A programme encoded as Lt/Rt, time-aligned with its source and of the same length.
final class EncodedProgramme: ProgrammeFrames {
    private let source: any ProgrammeFrames
    private let encoder: MatrixEncoder
    private let row: PlanarBlock
    private var blocks: MadeBlocks
    /// Count of non-finite samples.
    private var silenced = 0

    /// Creates the encoder of a programme in a layout; see `MatrixEncoder`.
    init(
        _ source: any ProgrammeFrames, layout: Layout, sampleRate: SampleRate, lfeGain: Decibels?
    ) throws(SessionError) {
        self.source = source
        do throws(SoundstageError) {
            encoder = try MatrixEncoder(layout, sampleRate: sampleRate, lfeGain: lfeGain)
        } catch {
            throw SessionError(error)
        }
        row = PlanarBlock(channels: source.channelCount, frames: MatrixEncoder.longest)
        blocks = MadeBlocks(channels: 2, frames: MatrixEncoder.longest, latency: encoder.latency)
    }

    var channelCount: Int { 2 }
    var frameCount: Int { source.frameCount }
    var position: Int { blocks.position }
    var refused: Int { source.refused + silenced }

    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try blocks.read(into: block, frames: frames, of: frameCount, make: make)
    }

    func rewind() throws(SoundFileError) {
        try source.rewind()
        encoder.reset()
        silenced = 0
        blocks.rewind(latency: encoder.latency)
    }

    /// Encodes the next block. After the end of the source, silence is encoded.
    private func make(_ pair: borrowing PlanarBlock) throws(SoundFileError) -> Int {
        let length = MatrixEncoder.longest
        let count = try source.read(into: row, frames: length)
        for channel in 0..<source.channelCount {
            silenced += Samples.cleanse(row[channel], to: row[channel], count: count)
            Samples.clear(row[channel] + count, count: length - count)
        }
        encoder.process(row.pointers, into: pair.pointers, frames: length)
        return length
    }
}
