import Inserts
import Signal
import Soundstage

/// Chains of plugins for one programme that is processed offline and not rendered to two ears: one for the programme
/// and one for each loudspeaker. They must be used by one thread at a time.
package final class ProgrammeChains {
    /// The plugins of the chains.
    package let plugins: PluginRack
    private let inserts: InsertRenderer
    private let places: InsertPlaces
    private let slice: Int
    private var isFresh = true

    /// Creates empty chains for the channels of a programme in a layout, for blocks of `slice` frames.
    package init(_ layout: Layout, sampleRate: SampleRate, slice: Int, shelf: PluginShelf) {
        places = InsertPlaces(
            programmes: [layout.channelCount], ways: [layout.ambisonics == nil ? .loudspeakers : .field])
        self.slice = slice
        inserts = InsertRenderer(places, sampleRate: sampleRate, slice: slice)
        plugins = PluginRack(
            inserts, places: PluginPlace.all(of: [("main", layout)], places), sampleRate: sampleRate, slice: slice,
            shelf: shelf,
            isLive: false)
    }

    /// Latency of the chains, frames.
    package var latency: Int { inserts.latency.beforeEars }

    /// Restarts all plugins at the programme's first frame.
    package func restart() {
        inserts.handle.pointee.restart(offline: true)
        plugins.rollFromStart()
    }

    /// Processes one slice of the programme's channels in place.
    package func process(_ rows: UnsafePointer<UnsafeMutablePointer<Float>>) {
        let handle = inserts.handle
        handle.pointee.beginSlice(atOnce: isFresh, offline: true)
        isFresh = false
        handle.pointee.process(place: places.programme(0), rows, count: slice)
        for loudspeaker in 0..<places.loudspeakers {
            handle.pointee.process(place: places.loudspeaker(loudspeaker), rows + loudspeaker, count: slice)
        }
        handle.pointee.advance(slice)
    }
}
