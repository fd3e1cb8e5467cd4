import AudioIO
import Loading
import Racks
import Signal
import Soundstage
import Stages

/// A programme processed by chains of plugins, time-aligned with its source and of the same length.
final class InsertedProgramme: ProgrammeFrames {
    private let source: any ProgrammeFrames
    private let chains: ProgrammeChains
    private var blocks: MadeBlocks
    private let slice: Int
    /// Count of non-finite samples before the plugins.
    private var silenced = 0

    /// Creates the requested chains for the channels of a programme in a layout.
    init(
        _ source: any ProgrammeFrames, layout: Layout, sampleRate: SampleRate, _ settings: StageSettings
    ) throws(SessionError) {
        self.source = source
        slice = settings.slice
        chains = ProgrammeChains(layout, sampleRate: sampleRate, slice: settings.slice, shelf: settings.shelf)
        blocks = MadeBlocks(channels: source.channelCount, frames: settings.slice, latency: 0)
        try plugins.add(settings.plugins, period: settings.slice)
        blocks.rewind(latency: chains.latency)
        plugins.rollFromStart()
    }

    /// Plugins of the chains.
    var plugins: PluginRack { chains.plugins }
    var channelCount: Int { source.channelCount }
    var frameCount: Int { source.frameCount }
    var position: Int { blocks.position }
    var refused: Int { source.refused + silenced }

    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try blocks.read(into: block, frames: frames, of: frameCount, make: make)
    }

    func rewind() throws(SoundFileError) {
        try source.rewind()
        chains.restart()
        silenced = 0
        blocks.rewind(latency: chains.latency)
    }

    /// Processes the next slice. After the end of the source, silence is processed.
    private func make(_ row: borrowing PlanarBlock) throws(SoundFileError) -> Int {
        let count = try source.read(into: row, frames: slice)
        for channel in 0..<channelCount {
            if count < slice { Samples.clear(row[channel] + count, count: slice - count) }
            silenced += Samples.cleanse(row[channel], to: row[channel], count: slice)
        }
        chains.process(row.pointers)
        return slice
    }
}
