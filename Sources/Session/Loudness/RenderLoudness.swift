import Signal
import Soundstage

/// Meters the loudness of a render: of what comes in, and of the ears.
final class RenderLoudness {
    private let inputFeed: LoudnessFeed
    private let earFeed: LoudnessFeed

    /// Meters for a file in a layout.
    init(_ layout: Layout, sampleRate: SampleRate) throws(SessionError) {
        inputFeed = LoudnessFeed(try LoudnessMeter(sampleRate: sampleRate, weights: layout.loudnessWeights))
        earFeed = LoudnessFeed(try LoudnessMeter(sampleRate: sampleRate, weights: [1, 1]))
    }

    /// Takes a block, see `OfflineRender.Listener`.
    func hear(
        _ input: borrowing PlanarBlock, _ count: Int, _ ears: borrowing PlanarBlock, _ dropped: Int, _ kept: Int
    ) {
        inputFeed.add(input, from: 0, frames: count)
        earFeed.add(ears, from: dropped, frames: kept)
    }

    /// What the meters show.
    var input: LoudnessReadings { inputFeed.meter.read() }
    var ears: LoudnessReadings { earFeed.meter.read() }
}
