import Geometry
import HRTF
import Signal
import Soundstage

/// Filters from an array's inputs to all channels of a capture: W Y Z X, and left and right of the stereo rendition.
package struct CaptureFilters: Sendable {
    /// Filters to W Y Z X L R, all of the same latency.
    package let filters: ArrayFilters
    /// Components of the field that the array does not resolve. They are silent.
    package let silent: [String]
    /// Gain of the capsules' noise in W Y Z X in the worst bin, dB; −∞ for a silent component.
    package let noise: [Double]
    /// Whether the array permits a difference between left and right. They are equal if Y is silent.
    package var hasWidth: Bool { !silent.contains("Y") }

    /// Names of the channels of a capture, in order.
    package static let channels = ["W", "Y", "Z", "X", "L", "R"]

    /// Creates filters for an array in a device with an orientation.
    ///
    /// - Parameters:
    ///   - calibration: measured responses of the capsules; nil for nominal ones.
    ///   - field: HRTF set of a binaural rendition, at the same sample rate. A binaural rendition must have a set.
    /// - Throws: `calibrationDoesNotFit`, `nothingObserved`.
    package init(
        _ array: MicrophoneArray, orientation: InputOrientation = .portrait, calibration: Calibration? = nil,
        rendition: StereoRendition, field: FilterField? = nil, sampleRate: SampleRate
    ) throws(CaptureError) {
        try self.init(
            array, heard: Self.responses(of: array, calibration: calibration, sampleRate: sampleRate),
            orientation: orientation, rendition: rendition, field: field)
    }

    /// Returns the responses of an array's capsules in device axes. They are measured if there is a calibration,
    /// otherwise nominal. An encoded sound field has those of four coincident microphones W, Y, Z and X.
    ///
    /// - Throws: `calibrationDoesNotFit`.
    package static func responses(
        of array: MicrophoneArray, calibration: Calibration? = nil, sampleRate: SampleRate
    ) throws(CaptureError) -> ArrayResponses {
        let length = ArrayFilters.length(at: sampleRate)
        guard case .capsules(let capsules) = array.kind else {
            if let calibration {
                throw .calibrationDoesNotFit(
                    source: calibration.source,
                    reason: "'\(array.name)' is an encoded sound field, without capsules")
            }
            return harmonics(length, sampleRate)
        }
        return try calibration?.responses(of: array, length: length, sampleRate: sampleRate)
            ?? ArrayResponses(capsules, length: length, sampleRate: sampleRate)
    }

    /// Creates filters for an array whose capsules have the responses `device` in device axes, at the sample rate of
    /// the responses.
    ///
    /// - Throws: `nothingObserved`.
    package init(
        _ array: MicrophoneArray, heard device: ArrayResponses, orientation: InputOrientation,
        rendition: StereoRendition, field: FilterField? = nil
    ) throws(CaptureError) {
        let responses: ArrayResponses
        let encoder: FieldEncoder
        switch array.kind {
        case .capsules:
            responses = device.turned(by: orientation)
            encoder = try FieldEncoder(responses, array: array.name)
        case .field(let format):
            responses = device
            encoder = FieldEncoder(format, orientation: orientation, tapCount: device.length)
        }
        let design = RenditionDesign(responses)
        var pair: ArrayFilters
        if let microphones = rendition.microphones {
            pair = design.filters(microphones)
        } else {
            guard let field else { preconditionFailure("a binaural rendition without a set") }
            pair = design.filters(field)
        }
        if case .field(let format) = array.kind {
            pair = pair.behind(FieldEncoder(format, orientation: orientation, tapCount: 1).filters)
        }
        filters = encoder.filters.joined(with: pair)
        silent = encoder.silent
        noise = encoder.noise
    }

    /// Returns the responses of a sound field, represented by four coincident microphones with the patterns of W, Y, Z
    /// and X.
    private static func harmonics(_ length: Int, _ rate: SampleRate) -> ArrayResponses {
        let axes = [SIMD3(1.0, 0, 0), SIMD3(0.0, 1, 0), SIMD3(0.0, 0, 1), SIMD3(1.0, 0, 0)]
        return ArrayResponses(
            axes.enumerated().map { place, axis in
                Capsule(
                    name: FieldEncoder.outputs[place], position: SIMD3(), axis: Direction(unit: axis),
                    pressure: place == 0 ? 1 : 0)
            }, length: length, sampleRate: rate)
    }
}
