import Metering
import Signal
import Soundstage

/// Meters the loudness of a render: of what comes in, and of the ears.
final class RenderLoudness {
    private let inputMeter: LoudnessMeter
    private let earMeter: LoudnessMeter

    /// Meters for a file in a layout.
    init(_ layout: Layout, sampleRate: SampleRate) {
        inputMeter = LoudnessMeter(sampleRate: sampleRate, weights: layout.loudnessWeights)
        earMeter = LoudnessMeter(sampleRate: sampleRate, weights: [1, 1])
    }

    /// Takes a block, see `OfflineRender.Listener`.
    func hear(
        _ input: borrowing PlanarBlock, _ count: Int, _ ears: borrowing PlanarBlock, _ dropped: Int, _ kept: Int
    ) {
        inputMeter.add(input, frames: count)
        earMeter.add(ears, from: dropped, frames: kept)
    }

    /// What the meters show.
    var input: LoudnessReadings { inputMeter.read() }
    var ears: LoudnessReadings { earMeter.read() }
}
