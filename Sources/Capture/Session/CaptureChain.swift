import Geometry
import HRTF
import Signal
import Soundstage

/// Signal chain of a capture from the inputs to the files: meters and fault tests, high-pass filter, encoding,
/// renditions, safety track and gain. One thread at a time; not the audio thread.
package final class CaptureChain {
    /// Settings of a chain.
    package struct Settings: Sendable {
        package var array: MicrophoneArray
        package var orientation = InputOrientation.portrait
        package var rendition = StereoRendition.xy
        /// HRTF set of a binaural rendition.
        package var field: FilterField?
        package var calibration: Calibration?
        /// Set gain, dB.
        package var gain = 0.0
        /// Cutoff of the high-pass filter against wind and handling noise, Hz; nil for no filter.
        package var highPass: Double? = 80

        /// Creates default settings for an array.
        package init(array: MicrophoneArray) { self.array = array }
    }

    /// Greatest number of frames of a call.
    package static let mostFrames = 4096
    /// Settings in force.
    package private(set) var settings: Settings
    /// Sample rate.
    package let sampleRate: SampleRate
    /// Output W Y Z X L R for the files, with the gain.
    package let output = PlanarBlock(channels: 6, frames: mostFrames)
    /// The same channels without the gain, 12 dB lower, and with the same latency.
    package let safety = PlanarBlock(channels: 6, frames: mostFrames)
    /// Components that the array does not resolve. They are silent.
    package private(set) var silent: [String]
    /// Meters of the inputs.
    package private(set) var inputs: InputMeter
    /// Meters of the outputs.
    package private(set) var outputs: InputMeter
    /// Latency of the outputs, frames.
    package let delayFrames: Int
    /// Orientation of the device, for the test of the capsules' order; nil if unknown.
    package var deviceToWorld: Quaternion?

    /// Responses of the capsules, measured if there is a calibration; computed once.
    private let responses: ArrayResponses
    private var convolver: ArrayConvolver
    private var wind: WindFilter?
    private var gain: SteadyGain
    private let scratch = PlanarBlock(channels: MicrophoneArray.mostCapsules, frames: mostFrames)
    private var order: CapsuleOrder?
    private var turnedOrder: TurnedOrder?
    private var scale: FieldScale?

    /// Creates a chain with a history of silence.
    ///
    /// - Throws: as `CaptureFilters`.
    package init(_ settings: Settings, sampleRate: SampleRate) throws(CaptureError) {
        self.settings = settings
        self.sampleRate = sampleRate
        responses = try CaptureFilters.responses(
            of: settings.array, calibration: settings.calibration, sampleRate: sampleRate)
        let filters = try Self.filters(settings, responses)
        silent = filters.silent
        convolver = ArrayConvolver(filters.filters, mostFrames: Self.mostFrames)
        let channels = settings.array.channelCount
        wind = settings.highPass.map { WindFilter(channels: channels, hertz: $0, sampleRate: sampleRate) }
        gain = SteadyGain(channels: 6, decibels: settings.gain, sampleRate: sampleRate)
        inputs = InputMeter(channels: channels, sampleRate: sampleRate)
        outputs = InputMeter(channels: 6, sampleRate: sampleRate)
        delayFrames = filters.filters.delayFrames + gain.delayFrames
        order = CapsuleOrder(settings.array, sampleRate: sampleRate)
        turnedOrder = TurnedOrder(settings.array, sampleRate: sampleRate)
        if case .field(let format) = settings.array.kind {
            scale = FieldScale(format.convention, sampleRate: sampleRate)
        }
    }

    private static func filters(
        _ settings: Settings, _ responses: ArrayResponses
    ) throws(CaptureError) -> CaptureFilters {
        try CaptureFilters(
            settings.array, heard: responses, orientation: settings.orientation, rendition: settings.rendition,
            field: settings.field)
    }

    /// Returns a closure that designs filters for another orientation or rendition. It may run on any thread, lasts
    /// some tenths of a second, and fails as `CaptureFilters` does.
    package func design(
        orientation: InputOrientation, rendition: StereoRendition
    ) -> @Sendable () -> Result<CaptureFilters, CaptureError> {
        var wanted = settings
        (wanted.orientation, wanted.rendition) = (orientation, rendition)
        let (asked, responses) = (wanted, responses)
        return {
            do throws(CaptureError) { return .success(try Self.filters(asked, responses)) } catch {
                return .failure(error)
            }
        }
    }

    /// Crossfades to filters that were designed for this array.
    package func exchange(for filters: CaptureFilters, orientation: InputOrientation, rendition: StereoRendition) {
        (settings.orientation, settings.rendition) = (orientation, rendition)
        silent = filters.silent
        convolver.exchange(for: filters.filters)
    }

    /// Processes `frames` frames of each input, at most `mostFrames`, into `output` and `safety`.
    package func process(_ block: borrowing PlanarBlock, frames: Int) {
        checkCount(frames, upTo: Self.mostFrames, "frames of a chain")
        inputs.process(block, frames: frames)
        for channel in 0..<settings.array.channelCount {
            Samples.copy(block[channel], to: scratch[channel], count: frames)
        }
        if let turn = deviceToWorld {
            turnedOrder?.process(scratch, frames: frames, deviceToWorld: turn)
        }
        order?.process(scratch, frames: frames)
        scale?.process(scratch, frames: frames)
        wind?.process(scratch, frames: frames)
        convolver.process(scratch, to: output, frames: frames)
        gain.process(output, plain: safety, frames: frames)
        for channel in 0..<6 { Samples.scale(safety[channel], by: CapturePart.safetyGain, count: frames) }
        outputs.process(output, frames: frames)
    }

    /// Faults of the inputs found so far.
    package var faults: [InputFault] {
        var found = inputs.faults(settings.array.channelNames)
        if case .field = settings.array.kind {
            // A field may be silent along an axis. Only a silent W is a fault.
            found.removeAll { fault in
                if case .silent(let name) = fault { name != settings.array.channelNames[0] } else { false }
            }
        }
        // Silent inputs invalidate the other tests.
        let isWhole = found.allSatisfy { if case .clipped = $0 { true } else { false } }
        if isWhole, let fault = turnedOrder?.fault ?? order?.fault { found.append(fault) }
        if isWhole, let fault = scale?.fault { found.append(fault) }
        return found
    }

    /// Gain in force, dB.
    package var gainInForce: Double { gain.decibels }
}
