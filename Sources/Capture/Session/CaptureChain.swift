import Geometry
import HRTF
import Signal
import Soundstage

/// What happens to the sound of an array between its inputs and the files: meters and faults, the high-pass, encoding,
/// renditions, the safety track and the gain. One thread at a time; not the audio thread.
package final class CaptureChain {
    /// What is asked of it.
    package struct Settings: Sendable {
        package var array: MicrophoneArray
        package var orientation = InputOrientation.portrait
        package var rendition = StereoRendition.xy
        /// Of a binaural rendition.
        package var field: FilterField?
        package var calibration: Calibration?
        /// Decibels of the gain.
        package var gain = 0.0
        /// Hertz of the high-pass against wind and handling; nil for none.
        package var highPass: Double? = 80

        /// Settings for an array, the rest as usual.
        package init(array: MicrophoneArray) { self.array = array }
    }

    /// Frames a call may take.
    package static let mostFrames = 4096
    /// In force.
    package private(set) var settings: Settings
    /// The rate.
    package let sampleRate: SampleRate
    /// W Y Z X L R as they go into the files.
    package let output = PlanarBlock(channels: 6, frames: mostFrames)
    /// The same 12 dB lower and before the gain, as late.
    package let safety = PlanarBlock(channels: 6, frames: mostFrames)
    /// Components that the array does not observe.
    package private(set) var silent: [String]
    /// Meters of the inputs.
    package private(set) var inputs: InputMeter
    /// Meters of the outputs.
    package private(set) var outputs: InputMeter
    /// Frames by which the outputs are later than the inputs.
    package let delayFrames: Int
    /// How the device is turned, as far as that is known: for the order of capsules.
    package var deviceToWorld: Quaternion?

    /// What the capsules do, by the calibration where there is one: found once.
    private let responses: ArrayResponses
    private var convolver: ArrayConvolver
    private var wind: WindFilter?
    private var gain: SteadyGain
    private let scratch = PlanarBlock(channels: MicrophoneArray.mostCapsules, frames: mostFrames)
    private var order: CapsuleOrder?
    private var turnedOrder: TurnedOrder?
    private var scale: FieldScale?

    /// A chain with silence behind it.
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

    /// The work of designing filters for a device that is held another way, or for another rendition: on any thread,
    /// some tenths of a second. Its failure is that of `CaptureFilters`.
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

    /// Goes on with filters that were designed for this array, by a short fade.
    package func exchange(for filters: CaptureFilters, orientation: InputOrientation, rendition: StereoRendition) {
        (settings.orientation, settings.rendition) = (orientation, rendition)
        silent = filters.silent
        convolver.exchange(for: filters.filters)
    }

    /// Takes `frames` ≤ `mostFrames` frames of each input to `output` and `safety`.
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

    /// What is wrong with the inputs, as far as it was heard.
    package var faults: [InputFault] {
        var found = inputs.faults(settings.array.channelNames)
        if case .field = settings.array.kind {
            // A field may well have nothing along an axis; without pressure it is none.
            found.removeAll { fault in
                if case .silent(let name) = fault { name != settings.array.channelNames[0] } else { false }
            }
        }
        // What is silent agrees with nothing.
        let isWhole = found.allSatisfy { if case .clipped = $0 { true } else { false } }
        if isWhole, let fault = turnedOrder?.fault ?? order?.fault { found.append(fault) }
        if isWhole, let fault = scale?.fault { found.append(fault) }
        return found
    }

    /// Decibels of the gain in force.
    package var gainInForce: Double { gain.decibels }
}
