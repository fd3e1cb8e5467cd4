import HRTF
import Signal

/// Signal chain of a capture from the inputs to the files: meters and fault tests, high-pass filter, encoding,
/// renditions, safety track and gain. Must be used by one thread at a time, not by the audio thread.
package final class CaptureChain {
    /// Greatest number of frames of a call.
    package static let mostFrames = 4096
    /// Settings in force.
    package private(set) var settings: CaptureChainSettings
    /// Output for the files, with the gain: sound field W Y Z X, and stereo rendition L R.
    package let output = PlanarBlock(channels: 6, frames: mostFrames)
    /// The same channels without the gain, 12 dB lower, and with the same latency.
    package let safety = PlanarBlock(channels: 6, frames: mostFrames)
    /// Levels and tests of the inputs.
    package internal(set) var inputs: InputCheck
    /// Meters of the outputs.
    package private(set) var outputs: InputMeter

    private var encoder: ArrayEncoder
    private var wind: WindFilter?
    private var gain: SteadyGain
    private let scratch = PlanarBlock(channels: MicrophoneArray.mostCapsules, frames: mostFrames)

    /// Creates a chain with a history of silence.
    ///
    /// - Throws: as `CaptureFilters`.
    package init(_ settings: CaptureChainSettings, sampleRate: SampleRate) throws(CaptureError) {
        self.settings = settings
        encoder = try ArrayEncoder(settings, sampleRate: sampleRate, mostFrames: Self.mostFrames)
        let channels = settings.array.channelCount
        wind = settings.highPass.map { WindFilter(channels: channels, hertz: $0, sampleRate: sampleRate) }
        gain = SteadyGain(channels: 6, decibels: settings.gain, sampleRate: sampleRate)
        inputs = InputCheck(settings.array, sampleRate: sampleRate)
        outputs = InputMeter(channels: 6, sampleRate: sampleRate)
    }

    /// Latency of the outputs, frames.
    package var delayFrames: Int { encoder.delayFrames + gain.delayFrames }

    /// Components that the array does not resolve. They are silent.
    package var silent: [String] { encoder.silent }

    /// Returns a closure that designs filters for another orientation or rendition. It may run on any thread, lasts
    /// some tenths of a second, and fails as `CaptureFilters` does.
    package func design(
        orientation: InputOrientation, rendition: StereoRendition
    ) -> @Sendable () -> Result<CaptureFilters, CaptureError> {
        var wanted = settings
        (wanted.orientation, wanted.rendition) = (orientation, rendition)
        return encoder.design(wanted)
    }

    /// Crossfades to filters that were designed for this array.
    package func exchange(for filters: CaptureFilters, orientation: InputOrientation, rendition: StereoRendition) {
        (settings.orientation, settings.rendition) = (orientation, rendition)
        encoder.exchange(for: filters)
    }

    /// Processes `frames` frames of each input, at most `mostFrames`, into `output` and `safety`.
    package func process(_ block: borrowing PlanarBlock, frames: Int) {
        checkCount(frames, upTo: Self.mostFrames, "frames of a chain")
        inputs.process(block, frames: frames)
        for channel in 0..<settings.array.channelCount {
            Samples.copy(block[channel], to: scratch[channel], count: frames)
        }
        wind?.process(scratch, frames: frames)
        encoder.process(scratch, to: output, frames: frames)
        gain.process(output, plain: safety, frames: frames)
        for channel in 0..<6 { Samples.scale(safety[channel], by: CapturePart.safetyGain, count: frames) }
        outputs.process(output, frames: frames)
    }

    /// Faults of the inputs found so far.
    package var faults: [InputFault] { inputs.faults }

    /// Gain in force, dB.
    package var gainInForce: Double { gain.decibels }
}
