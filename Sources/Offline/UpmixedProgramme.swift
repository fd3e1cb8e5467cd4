import AudioIO
import Loading
import Signal
import Soundstage
import Stages

/// A stereo or mono file upmixed to more loudspeakers, time-aligned with the file and of the same length.
final class UpmixedProgramme: ProgrammeFrames {
    /// Layout of the upmix. `read` returns the channels of this layout.
    let layout: Layout
    let frameCount: Int
    var position: Int { blocks.position }
    private var silenced = 0
    var refused: Int { silenced + reader.refused }
    /// Latency of the upmix, frames; removed here.
    let latency: Int

    private let reader: SoundFileReader
    private let spreads: Bool
    private var upmixer: StereoUpmixer
    private var spread: MonoSpread
    private let source: PlanarBlock
    private let pair: PlanarBlock
    private var blocks: MadeBlocks

    private static let blockFrames = 1024

    var channelCount: Int { layout.channelCount }

    /// Creates the upmix of a file that `reader` reads.
    ///
    /// - Parameters:
    ///   - decorrelates: false leaves out the decorrelators, see `StereoUpmixer`.
    ///   - isOption: whether the upmix was requested by the option `--upmix`. The error for a file of more than two
    ///     channels then proposes to remove the option.
    /// - Throws: an input error for a file of more than two channels, a usage error for a layout without front pair,
    ///   centre or surrounds.
    init(
        _ reader: SoundFileReader, into layout: Layout, _ upmix: UpmixChoices, decorrelates: Bool = true,
        isOption: Bool = false
    ) throws(SessionError) {
        guard reader.channelCount <= 2 else {
            throw SessionError(
                .input,
                "\(reader.path) has \(reader.channelCount) channels; an upmix starts from stereo or mono. Play it as it is, "
                    + "or fold it down first: "
                    + ShellLine(["proscenium", "process", reader.path, "stereo.wav", "--to", "stereo"]).text,
                remedy: isOption ? Remedy("--upmix", nil) : nil)
        }
        self.reader = reader
        self.layout = layout
        let plan = upmix.plan
        do throws(UpmixError) {
            upmixer = try StereoUpmixer(
                sampleRate: reader.sampleRate, layout: layout, mode: plan.mode, latency: plan.latency,
                controls: upmix.amounts, decorrelates: decorrelates)
        } catch {
            throw SessionError(.usage, error.description)
        }
        spreads = plan.mono == .wide
        spread = MonoSpread(sampleRate: reader.sampleRate)
        frameCount = reader.frameCount
        latency = upmixer.latency
        source = PlanarBlock(channels: reader.channelCount, frames: Self.blockFrames)
        pair = PlanarBlock(channels: 2, frames: Self.blockFrames)
        blocks = MadeBlocks(
            channels: layout.channelCount, frames: Self.blockFrames, latency: upmixer.latency)
        Denormals.flush()
    }

    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try blocks.read(into: block, frames: frames, of: frameCount, make: make)
    }

    func rewind() throws(SoundFileError) {
        try reader.seek(to: 0)
        upmixer.reset()
        spread = MonoSpread(sampleRate: reader.sampleRate)
        silenced = 0
        blocks.rewind(latency: latency)
    }

    /// Produces the next block; after the end of the file, the frames that remain in the upmix.
    private func make(_ stage: borrowing PlanarBlock) throws(SoundFileError) -> Int {
        let count = try reader.read(into: source, frames: Self.blockFrames)
        let isMono = reader.channelCount == 1
        for channel in 0..<2 {
            let bad = Samples.cleanse(source[isMono ? 0 : channel], to: pair[channel], count: count)
            if channel == 0 || !isMono { silenced += bad }
            Samples.clear(pair[channel] + count, count: Self.blockFrames - count)
        }
        if isMono, spreads {
            spread.process(pair[0], pair[1], frames: Self.blockFrames)
        } else if isMono {
            for channel in 0..<2 {
                Samples.scale(pair[channel], by: Float(0.5).squareRoot(), count: Self.blockFrames)
            }
        }
        upmixer.process(frames: Self.blockFrames, left: pair[0], right: pair[1], into: stage.pointers)
        return Self.blockFrames
    }
}
