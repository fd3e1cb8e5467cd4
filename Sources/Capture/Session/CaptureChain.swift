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

    private var convolver: ArrayConvolver
    private var wind: WindFilter?
    private var gain: SteadyGain
    private var line: PreRoll
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
        let filters = try Self.filters(settings, sampleRate)
        silent = filters.silent
        convolver = ArrayConvolver(filters.filters, mostFrames: Self.mostFrames)
        let channels = settings.array.channelCount
        wind = settings.highPass.map { WindFilter(channels: channels, hertz: $0, sampleRate: sampleRate) }
        gain = SteadyGain(channels: 6, decibels: settings.gain, sampleRate: sampleRate)
        inputs = InputMeter(channels: channels, sampleRate: sampleRate)
        outputs = InputMeter(channels: 6, sampleRate: sampleRate)
        delayFrames = filters.filters.delayFrames + gain.delayFrames
        line = PreRoll(channels: 6, frames: gain.delayFrames + Self.mostFrames)
        order = CapsuleOrder(settings.array, sampleRate: sampleRate)
        turnedOrder = TurnedOrder(settings.array, sampleRate: sampleRate)
        if case .field(let format) = settings.array.kind {
            scale = FieldScale(format.convention, sampleRate: sampleRate)
        }
        prime()
    }

    private static func filters(_ settings: Settings, _ rate: SampleRate) throws(CaptureError) -> CaptureFilters {
        try CaptureFilters(
            settings.array, orientation: settings.orientation, calibration: settings.calibration,
            rendition: settings.rendition, field: settings.field, sampleRate: rate)
    }

    /// Fills the safety track's line with the silence that is in the gain's.
    private func prime() {
        for channel in 0..<6 { Samples.clear(safety[channel], count: Self.mostFrames) }
        var left = gain.delayFrames
        while left > 0 {
            let count = min(left, Self.mostFrames)
            line.keep(safety, frames: count)
            left -= count
        }
    }

    /// Holds the device another way, or makes another rendition, from here on, by a short fade.
    ///
    /// - Throws: as `CaptureFilters`; all stays as it was then.
    package func change(orientation: InputOrientation, rendition: StereoRendition, field: FilterField?)
        throws(CaptureError)
    {
        var wanted = settings
        (wanted.orientation, wanted.rendition, wanted.field) = (orientation, rendition, field)
        let filters = try Self.filters(wanted, sampleRate)
        settings = wanted
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
        line.keep(output, frames: frames)
        _ = line.take(into: safety, limit: frames)
        for channel in 0..<6 { Samples.scale(safety[channel], by: CapturePart.safetyGain, count: frames) }
        gain.process(output, frames: frames)
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
