import CHDF5
import Geometry

/// Binaural room responses in a SOFA file: what two ears hear of loudspeakers in a room, for one or many turns of the
/// head.
///
/// Read from SingleRoomSRIR and its forerunner SingleRoomDRIR (M×R×N), SingleRoomMIMOSRIR (M×R×N×E), its forerunner
/// MultiSpeakerBRIR (M×R×E×N), and rooms labelled as SimpleFreeFieldHRIR (M×R×N); AES69-2022 and its conventions'
/// tables. Positions and sizes are read and checked at once, of the responses no more than is asked for: they may be
/// gigabytes. One thread at a time.
package final class BinauralRoom {
    /// Where it was read from.
    package let path: String
    /// The text attributes of the file: Title, License, RoomType, ...
    package let attributes: [String: String]
    /// Samples per second.
    package let sampleRate: Double
    /// Samples of each response.
    package let sampleCount: Int
    /// How each measurement was made, in the file's order.
    package let measurements: [Measurement]
    /// Number of loudspeakers in each measurement.
    package let emitterCount: Int
    /// Whether the file calls itself a set of free-field responses.
    package let isLabelledFreeField: Bool
    /// Oddities that were read around, one sentence each.
    package let remarks: [String]

    /// One measurement: a head in one place, turned one way, and every loudspeaker.
    package struct Measurement: Sendable {
        /// Where the head looks, radians counter-clockwise from the room's x axis, and up.
        package var yaw: Double, pitch: Double
        /// Where the head is, metres.
        package var listener: SIMD3<Double>
        /// Each loudspeaker's place seen from the head's, in the room's axes, metres (of unknown length where the file
        /// gives none).
        package var offsets: [SIMD3<Double>]
    }

    private let file: HDF5File
    private let dataset: hid_t
    private let order: AxisOrder
    /// `[measurement][receiver][emitter]`, samples.
    private let delays: [Double]

    /// Which axis of Data.IR is which.
    private enum AxisOrder {
        /// M×R×N
        case single
        /// M×R×N×E
        case emittersLast
        /// M×R×E×N
        case samplesLast
    }

    /// The most loudspeakers, and the most responses (pairs of ears) of all measurements: 360 head yaws × 64
    /// loudspeakers are 23 040.
    static let mostEmitters = 1024, mostResponses = 1 << 16

    /// The conventions that are read.
    package static let conventions = [
        "SingleRoomSRIR", "SingleRoomDRIR", "SingleRoomMIMOSRIR", "MultiSpeakerBRIR", "SimpleFreeFieldHRIR",
    ]

    /// Opens and checks a file; nothing in it is trusted. Any thread but the audio thread.
    package init(contentsOf path: String) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let attributes = try file.attributes(
            named: FreeFieldHRIR.knownAttributes + ["RoomShortName", "RoomDescription"])
        let convention = try BinauralRoom.convention(attributes, path: path)
        let (dataset, shape) = try file.openForSlicing("Data.IR")
        do throws(SOFAError) {
            var remarks: [String] = []
            let emitters = try BinauralRoom.emitterPositions(file, measurements: max(1, shape.first ?? 1), &remarks)
            let (order, emitterCount, sampleCount) = try BinauralRoom.axes(
                shape, convention: convention, emitters: emitters.count, path: path)
            let variables = SOFAVariables(file: file, measurements: shape[0])
            let sampleRate = try variables.sampleRate()
            let places = try BinauralRoom.measurements(
                variables, emitters: order == .single ? nil : Array(emitters.prefix(emitterCount)), &remarks)
            delays = try BinauralRoom.delays(file, measurements: shape[0], emitters: emitterCount, sampleRate)
            self.path = path
            self.attributes = attributes
            self.sampleRate = sampleRate
            self.sampleCount = sampleCount
            self.emitterCount = emitterCount
            self.remarks = remarks
            measurements = places
            isLabelledFreeField = convention == "SimpleFreeFieldHRIR"
            self.file = file
            self.dataset = dataset
            self.order = order
        } catch {
            H5Dclose(dataset)
            throw error
        }
    }

    deinit { H5Dclose(dataset) }

    /// One loudspeaker's responses at both ears in one measurement, as stored: the first `frames` samples of each, or
    /// all where there are fewer. Reads no others, but for what is packed into one chunk with them (256 MB at most).
    package func responses(
        measurement: Int, emitter: Int, frames: Int
    ) throws(SOFAError) -> (left: [Float], right: [Float]) {
        let n = max(0, min(frames, sampleCount))
        let values: [Float]
        switch order {
        case .single: values = try file.slice(dataset, "Data.IR", start: [measurement, 0, 0], count: [1, 2, n])
        case .emittersLast:
            values = try file.slice(dataset, "Data.IR", start: [measurement, 0, 0, emitter], count: [1, 2, n, 1])
        case .samplesLast:
            values = try file.slice(dataset, "Data.IR", start: [measurement, 0, emitter, 0], count: [1, 2, 1, n])
        }
        // One comparison catches NaN, infinities and netCDF's fill value 9.97e36.
        guard values.allSatisfy({ abs($0) < 1e30 }) else {
            throw .value(
                path: path, variable: "Data.IR",
                problem: "holds NaN, an infinity or a fill value in measurement \(measurement); use another file")
        }
        return (Array(values[..<n]), Array(values[n...]))
    }

    /// The delay to be added to a response, samples; receiver 0 is the left ear.
    package func delay(measurement: Int, receiver: Int, emitter: Int) -> Double {
        delays[(measurement * 2 + receiver) * emitterCount + emitter]
    }

    /// The attribute if it is there and says something.
    package func attribute(_ name: String) -> String? {
        guard let value = attributes[name], !value.isEmpty else { return nil }
        return value
    }

    private static func convention(_ attributes: [String: String], path: String) throws(SOFAError) -> String {
        guard attributes["Conventions"]?.uppercased() == "SOFA" else {
            let found = attributes["Conventions"].map { "its Conventions is \"\($0)\"" }
            throw .notSOFA(path: path, found: found ?? "it has no attribute Conventions")
        }
        guard let convention = attributes["SOFAConventions"], !convention.isEmpty else {
            throw .incomplete(path: path, missing: "attribute SOFAConventions")
        }
        guard conventions.contains(convention) else {
            throw .unsupported(
                path: path, what: "convention", found: convention,
                expected: conventions.joined(separator: ", ") + " for a room")
        }
        return convention
    }

    /// Tells axes apart: by convention, and where both orders are in use by which one has as many as there are
    /// emitters.
    private static func axes(
        _ shape: [Int], convention: String, emitters: Int, path: String
    ) throws(SOFAError) -> (AxisOrder, emitters: Int, samples: Int) {
        let hasEmitters = convention == "MultiSpeakerBRIR" || convention == "SingleRoomMIMOSRIR"
        let expected = hasEmitters ? "measurements × 2 ears × samples × emitters" : "measurements × 2 ears × samples"
        guard shape.count == (hasEmitters ? 4 : 3), shape[0] > 0, shape[1] == 2 else {
            throw .shape(path: path, variable: "Data.IR", found: shape, expected: expected)
        }
        let result: (AxisOrder, emitters: Int, samples: Int)
        if !hasEmitters {
            result = (.single, 1, shape[2])
        } else if shape[3] == emitters, shape[2] != emitters || convention == "SingleRoomMIMOSRIR" {
            result = (.emittersLast, shape[3], shape[2])
        } else if shape[2] == emitters {
            result = (.samplesLast, shape[2], shape[3])
        } else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape, expected: "\(expected), with \(emitters) emitters")
        }
        guard result.samples >= 2 else {
            throw .shape(path: path, variable: "Data.IR", found: shape, expected: expected)
        }
        guard result.emitters <= mostEmitters, shape[0] <= mostResponses / result.emitters else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape,
                expected: "\(mostEmitters) loudspeakers at most, and \(mostResponses) responses of them in all")
        }
        return result
    }
}
