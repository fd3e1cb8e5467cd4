import AudioIO
import Inserts
import Loading
import PluginHost
import Racks
import Signal
import Soundstage
import Stages

/// A programme processed by chains of plugins, time-aligned with its source and of the same length.
final class InsertedProgramme: ProgrammeFrames {
    private let source: any ProgrammeFrames
    private let inserts: InsertRenderer
    private let places: InsertPlaces
    /// Plugins of the chains.
    let plugins: PluginRack
    private var blocks: MadeBlocks
    private let slice: Int
    /// Count of non-finite samples before the plugins.
    private var silenced = 0
    private var isFresh = true

    /// Creates the requested chains for the channels of a programme in a layout.
    init(
        _ source: any ProgrammeFrames, layout: Layout, sampleRate: SampleRate, _ settings: StageSettings
    ) throws(SessionError) {
        self.source = source
        let isField = layout.ambisonics != nil
        places = InsertPlaces(
            programmes: isField ? [] : [layout.channelCount], field: isField ? layout.channelCount : 0)
        slice = settings.slice
        inserts = InsertRenderer(places, sampleRate: sampleRate, slice: settings.slice)
        plugins = PluginRack(
            inserts, places: PluginPlace.all(of: layout, places), sampleRate: sampleRate, slice: settings.slice,
            shelf: settings.shelf, isLive: false)
        blocks = MadeBlocks(channels: source.channelCount, frames: settings.slice, latency: 0)
        try plugins.add(settings.plugins, period: settings.slice)
        blocks.rewind(latency: inserts.latency.beforeEars)
        plugins.follow(TransportPosition(frame: 0, speed: 1), isNews: true)
    }

    var channelCount: Int { source.channelCount }
    var frameCount: Int { source.frameCount }
    var position: Int { blocks.position }
    var refused: Int { source.refused + silenced }

    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try blocks.read(into: block, frames: frames, of: frameCount, make: make)
    }

    func rewind() throws(SoundFileError) {
        try source.rewind()
        inserts.handle.pointee.restart(offline: true)
        silenced = 0
        blocks.rewind(latency: inserts.latency.beforeEars)
        plugins.follow(TransportPosition(frame: 0, speed: 1), isNews: true)
    }

    /// Processes the next slice; silence follows the end.
    private func make(_ row: borrowing PlanarBlock) throws(SoundFileError) -> Int {
        let count = try source.read(into: row, frames: slice)
        for channel in 0..<channelCount {
            if count < slice { Samples.clear(row[channel] + count, count: slice - count) }
            silenced += Samples.cleanse(row[channel], to: row[channel], count: slice)
        }
        inserts.handle.pointee.beginSlice(atOnce: isFresh, offline: true)
        isFresh = false
        inserts.handle.pointee.process(
            place: places.programmes.isEmpty ? places.fieldPlace : 0, row.pointers, count: slice)
        for loudspeaker in 0..<places.loudspeakers {
            inserts.handle.pointee.process(
                place: places.loudspeaker(loudspeaker), row.pointers + loudspeaker, count: slice)
        }
        inserts.handle.pointee.advance(slice)
        return slice
    }
}
