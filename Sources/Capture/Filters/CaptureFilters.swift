import Geometry
import HRTF
import Signal
import Soundstage

/// All that is made of an array's inputs: W Y Z X, and left and right.
package struct CaptureFilters: Sendable {
    /// Outputs W Y Z X L R, equally late.
    package let filters: ArrayFilters
    /// Components of the field that the array does not observe: silent, to be said.
    package let silent: [String]
    /// dB of the capsules' noise in W Y Z X at the worst frequency.
    package let noise: [Double]
    /// Whether left and right are told apart: not where the component across them is silent.
    package var hasWidth: Bool { !silent.contains("Y") }

    /// Channels of a capture, in order.
    package static let channels = ["W", "Y", "Z", "X", "L", "R"]

    /// Filters for an array in a device that is held in some way.
    ///
    /// - Parameters:
    ///   - calibration: what its capsules really do; nil for what their data sheet says.
    ///   - field: the HRTF set of a binaural rendition, at the same rate; without it, that is a precondition's failure.
    /// - Throws: `calibrationDoesNotFit`, `nothingObserved`.
    package init(
        _ array: MicrophoneArray, orientation: InputOrientation = .portrait, calibration: Calibration? = nil,
        rendition: StereoRendition, field: FilterField? = nil, sampleRate: SampleRate
    ) throws(CaptureError) {
        try self.init(
            array, heard: Self.responses(of: array, calibration: calibration, sampleRate: sampleRate),
            orientation: orientation, rendition: rendition, field: field)
    }

    /// What an array's capsules do, in the axes of the device: by their data sheet, or as they were measured.
    ///
    /// - Throws: `calibrationDoesNotFit`.
    package static func responses(
        of array: MicrophoneArray, calibration: Calibration? = nil, sampleRate: SampleRate
    ) throws(CaptureError) -> ArrayResponses {
        let length = ArrayFilters.length(at: sampleRate)
        guard case .capsules(let capsules) = array.kind else {
            guard calibration == nil else {
                throw .calibrationDoesNotFit(
                    source: "calibration", reason: "'\(array.name)' is a sound field that is ready, without capsules")
            }
            return harmonics(length, sampleRate)
        }
        return try calibration?.responses(of: array, length: length, sampleRate: sampleRate)
            ?? ArrayResponses(capsules, length: length, sampleRate: sampleRate)
    }

    /// Filters for an array whose capsules do what `device` says, in axes of the device, at its rate.
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

    /// A sound field as an array: four microphones in one place.
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
