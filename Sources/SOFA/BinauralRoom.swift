import CHDF5
import Geometry

/// Binaural room responses in a SOFA file: responses at two ears to loudspeakers in a room, for one or many
/// orientations of the head.
///
/// Reads SingleRoomSRIR and its predecessor SingleRoomDRIR (M×R×N), SingleRoomMIMOSRIR (M×R×N×E), its predecessor
/// MultiSpeakerBRIR (M×R×E×N), and rooms labelled as SimpleFreeFieldHRIR (M×R×N). See AES69-2022 and the tables of its
/// conventions (M measurements, R receivers, N samples, E emitters). Positions and sizes are read and checked
/// immediately. Responses are read only on request, because they may be gigabytes. Must be used by one thread at a
/// time.
package final class BinauralRoom {
    /// Path of the file.
    package let path: String
    /// The text attributes of the file: Title, License, RoomType, ...
    package let attributes: [String: String]
    /// Sample rate, hertz.
    package let sampleRate: Double
    /// Number of samples in each response.
    package let sampleCount: Int
    /// Geometry of each measurement, in the file's order.
    package let measurements: [Measurement]
    /// Number of loudspeakers in each measurement.
    package let emitterCount: Int
    /// Whether the file has the convention of free-field responses.
    package let isLabelledFreeField: Bool
    /// Positions of the receivers on the head, metres (x front, y left); nil if the file has no usable positions of two
    /// receivers. Receiver 0 should be the left ear.
    package let receivers: [SIMD3<Double>]?
    /// Peculiarities of the file that the reader corrected or ignored, one sentence each.
    package let remarks: [String]

    /// One measurement: position and orientation of the head, and all loudspeakers.
    package struct Measurement: Sendable {
        /// Direction in which the head faces: yaw counter-clockwise from the room's x axis, and pitch upwards; radians.
        package var yaw: Double, pitch: Double
        /// Position of the head, metres.
        package var listener: SIMD3<Double>
        /// Position of each loudspeaker relative to the head, in the room's axes, metres. The length is arbitrary if
        /// the file has no distance.
        package var offsets: [SIMD3<Double>]
    }

    private let data: HDF5Variable
    private let order: EmitterAxes
    /// Delays, samples, `[measurement][receiver][emitter]`.
    private let delays: [Double]

    /// Order of the axes of Data.IR.
    var axes: EmitterAxes { order }
    /// Data.Delay, `[measurement][receiver][emitter]`, samples.
    var storedDelays: [Double] { delays }

    /// Largest number of loudspeakers, and largest number of responses (each for both ears) in all measurements. 360
    /// head yaws × 64 loudspeakers are 23 040 responses.
    static let mostEmitters = 1024, mostResponses = 1 << 16

    /// Conventions that can be read.
    package static let conventions = [
        "SingleRoomSRIR", "SingleRoomDRIR", "SingleRoomMIMOSRIR", "MultiSpeakerBRIR", "SimpleFreeFieldHRIR",
    ]

    /// Opens and checks a file; its content is not trusted. May be called on any thread but the audio thread.
    package init(contentsOf path: String) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let header = try SOFAHeader(file)
        let convention = header.convention.name
        if !BinauralRoom.conventions.contains(convention) { try header.require(.room) }
        data = try HDF5Variable(
            "Data.IR", of: file, most: HDF5File.largestSlicedCount, room: Int(HDF5Storage.largestChunk))
        let shape = data.shape
        var remarks: [String] = []
        // A variable without data may state any number of measurements, so the number is limited.
        let stated = min(max(1, shape.first ?? 1), BinauralRoom.mostResponses)
        let emitters = try BinauralRoom.emitterPositions(file, measurements: stated, &remarks)
        (order, emitterCount, sampleCount) = try BinauralRoom.axes(
            shape, convention: convention, emitters: emitters.count, path: path)
        let variables = SOFAVariables(file: file, measurements: shape[0])
        sampleRate = try variables.sampleRate()
        measurements = try BinauralRoom.measurements(
            variables, emitters: order == .single ? nil : Array(emitters.prefix(emitterCount)), &remarks)
        delays = try variables.delays(sampleRate: sampleRate, emitters: emitterCount, &remarks)
        receivers = try variables.receivers(&remarks)
        self.path = path
        attributes = header.attributes
        self.remarks = remarks
        isLabelledFreeField = convention == "SimpleFreeFieldHRIR"
    }

    /// Returns the first `frames` samples (or all, if there are fewer) of one loudspeaker's stored responses at both
    /// ears in one measurement. Reads no other responses, except those in the same chunk (at most 256 MB).
    package func responses(
        measurement: Int, emitter: Int, frames: Int
    ) throws(SOFAError) -> (left: [Float], right: [Float]) {
        try responses(measurement: measurement, emitter: emitter, from: 0, frames: frames)
    }

    /// Returns at most `frames` samples from `start` on.
    private func responses(
        measurement: Int, emitter: Int, from start: Int, frames: Int
    ) throws(SOFAError) -> (left: [Float], right: [Float]) {
        let n = max(0, min(frames, sampleCount - start))
        let (origin, extent): ([Int], [Int]) =
            switch order {
            case .single: ([measurement, 0, start], [1, 2, n])
            case .emittersLast: ([measurement, 0, start, emitter], [1, 2, n, 1])
            case .samplesLast: ([measurement, 0, emitter, start], [1, 2, 1, n])
            }
        let values = try data.floats(start: origin, count: extent)
        // One comparison catches NaN, infinities and netCDF's fill value 9.97e36.
        guard values.allSatisfy({ abs($0) < 1e30 }) else {
            throw .value(
                path: path, variable: "Data.IR",
                problem: "holds NaN, an infinity or a fill value in measurement \(measurement); use another file")
        }
        return (Array(values[..<n]), Array(values[n...]))
    }

    /// Throws if all samples of all responses are 0. Reads up to the first sample that is not 0. Before each
    /// measurement `progress` is called with the share that has been read; if it returns false, the reading ends and
    /// throws.
    package func checkHeard(progress: @escaping ReadingProgress = { _ in true }) throws(SOFAError) {
        let watch = ReadingWatch(path: path, progress)
        for measurement in measurements.indices {
            try watch.reached(Double(measurement) / Double(measurements.count))
            for emitter in 0..<emitterCount {
                for start in stride(from: 0, to: sampleCount, by: 1 << 16) {
                    let (left, right) = try responses(
                        measurement: measurement, emitter: emitter, from: start, frames: 1 << 16)
                    if left.contains(where: { $0 != 0 }) || right.contains(where: { $0 != 0 }) { return }
                }
            }
        }
        throw .value(path: path, variable: "Data.IR", problem: "is silent: all samples are 0; use another file")
    }

    /// Returns the delay to be added to a response, samples. Receiver 0 is the left ear.
    package func delay(measurement: Int, receiver: Int, emitter: Int) -> Double {
        delays[(measurement * 2 + receiver) * emitterCount + emitter]
    }

    /// Returns an attribute; nil if it is missing or empty.
    package func attribute(_ name: String) -> String? {
        guard let value = attributes[name], !value.isEmpty else { return nil }
        return value
    }

    /// Determines the order of the axes, and checks their sizes.
    private static func axes(
        _ shape: [Int], convention: String, emitters: Int, path: String
    ) throws(SOFAError) -> (EmitterAxes, emitters: Int, samples: Int) {
        let hasEmitters = convention == "MultiSpeakerBRIR" || convention == "SingleRoomMIMOSRIR"
        let expected = hasEmitters ? "measurements × 2 ears × samples × emitters" : "measurements × 2 ears × samples"
        guard shape.count == (hasEmitters ? 4 : 3), shape[0] > 0, shape[1] == 2 else {
            let microphones =
                shape.count >= 2 && shape[1] != 2
                ? "; with \(shape[1]) receivers it is made for a microphone array, not for ears" : ""
            throw .shape(path: path, variable: "Data.IR", found: shape, expected: expected + microphones)
        }
        let order: EmitterAxes
        if !hasEmitters {
            order = .single
        } else if let found = EmitterAxes(
            shape, emitters: emitters, prefersEmittersLast: convention == "SingleRoomMIMOSRIR")
        {
            order = found
        } else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape, expected: "\(expected), with \(emitters) emitters")
        }
        let (samples, count) = order.counts(shape)
        guard samples >= 2 else {
            throw .shape(path: path, variable: "Data.IR", found: shape, expected: expected)
        }
        guard count <= mostEmitters, shape[0] <= mostResponses / count else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape,
                expected: "\(mostEmitters) loudspeakers at most, and \(mostResponses) responses of them in all")
        }
        return (order, count, samples)
    }
}
