import Geometry
import Signal

/// Where a stereo rendition becomes the feeds of a stage made for more: left and right play on the loudspeakers that stand
/// nearest to ±30°.
///
/// It runs all the time, whether the stereo rendition is heard or not, so that a hand-over finds it warm.
struct StereoSpread: ~Copyable {
    /// Frames by which its feeds come later than its inputs.
    static var latencyFrames: Int { @_noLocks get { 0 } }

    private let left: Int
    private let right: Int

    /// For the loudspeakers of a layout with at least two.
    init(_ layout: Layout) { (left, right) = layout.stereoPair }

    /// Begins anew with silence.
    @_noLocks
    func restart() {}

    /// Fills `feeds`, all of them, from a pair of channels.
    @_noLocks
    func process(
        _ pair: UnsafePointer<UnsafeMutablePointer<Float>>, feeds: UnsafePointer<UnsafeMutablePointer<Float>>,
        feedCount: Int, frames: Int
    ) {
        for feed in 0..<feedCount {
            if feed == left {
                Samples.copy(pair[0], to: feeds[feed], count: frames)
            } else if feed == right {
                Samples.copy(pair[1], to: feeds[feed], count: frames)
            } else {
                Samples.clear(feeds[feed], count: frames)
            }
        }
    }
}

extension Layout {
    /// The channels of the loudspeakers that stand nearest to +30° and −30° on the horizon, low-frequency ones left out.
    package var stereoPair: (left: Int, right: Int) {
        func nearest(_ azimuth: Double) -> Int {
            let wanted = Direction<Stage>(azimuthDegrees: azimuth, elevationDegrees: 0).unit
            func closeness(_ channel: Int) -> Double { (loudspeakers[channel].direction.unit * wanted).sum() }
            let places = loudspeakers.indices.filter { !loudspeakers[$0].isLowFrequency }
            return places.max { closeness($0) < closeness($1) } ?? 0
        }
        return (nearest(30), nearest(-30))
    }
}
