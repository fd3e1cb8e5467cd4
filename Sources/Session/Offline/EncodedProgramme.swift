import AudioIO
import Signal
import Soundstage

/// A programme encoded as Lt/Rt: time-aligned with what went in, as long.
final class EncodedProgramme: ProgrammeFrames {
    private let source: any ProgrammeFrames
    private let encoder: MatrixEncoder
    private let row: PlanarBlock
    private let pair = PlanarBlock(channels: 2, frames: MatrixEncoder.longest)
    /// Frames of `pair` that have been read, of those there are.
    private var used = 0
    private var made = 0
    private var toDrop: Int
    private(set) var position = 0
    /// Samples that were not finite.
    private var silenced = 0

    /// A programme for a layout; see `MatrixEncoder`.
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
        toDrop = encoder.latency
    }

    var channelCount: Int { 2 }
    var frameCount: Int { source.frameCount }
    var refused: Int { source.refused + silenced }

    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        var done = 0
        while done < frames, position < frameCount {
            guard used < made else {
                try make()
                continue
            }
            let count = min(frames - done, made - used, frameCount - position)
            for channel in 0..<2 { Samples.copy(pair[channel] + used, to: block[channel] + done, count: count) }
            used += count
            done += count
            position += count
        }
        return done
    }

    func rewind() throws(SoundFileError) {
        try source.rewind()
        encoder.reset()
        (used, made, position, silenced) = (0, 0, 0, 0)
        toDrop = encoder.latency
    }

    /// The next block; silence follows the end.
    private func make() throws(SoundFileError) {
        let length = MatrixEncoder.longest
        let count = try source.read(into: row, frames: length)
        for channel in 0..<source.channelCount {
            silenced += Samples.cleanse(row[channel], to: row[channel], count: count)
            Samples.clear(row[channel] + count, count: length - count)
        }
        encoder.process(row.pointers, into: pair.pointers, frames: length)
        made = length
        used = min(length, toDrop)
        toDrop -= used
    }
}
