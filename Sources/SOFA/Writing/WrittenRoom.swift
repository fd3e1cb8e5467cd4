import Glibc

/// Binaural room responses to be written: loudspeakers in a room at two ears, for one or more yaws of the head.
///
/// The file is a SingleRoomMIMOSRIR (AES69-2022, convention 1.0), which replaced MultiSpeakerBRIR. The listener and the
/// source are at the origin; the loudspeakers are the source's emitters.
package struct WrittenRoom {
    /// One loudspeaker: azimuth and elevation for a head that faces the front, degrees, and its distance, metres.
    package struct Loudspeaker: Hashable, Sendable {
        package var azimuth: Double, elevation: Double, distance: Double

        /// Makes a loudspeaker at a place.
        package init(azimuth: Double, elevation: Double, distance: Double) {
            (self.azimuth, self.elevation, self.distance) = (azimuth, elevation, distance)
        }
    }

    /// The file's convention.
    package static let convention = "SingleRoomMIMOSRIR"

    /// Texts of the file besides the convention's own: Title, License, ...
    package var attributes: [String: String]
    /// Sample rate, hertz.
    package var sampleRate: Double
    /// Number of samples in each response.
    package var sampleCount: Int
    /// Yaws of the head, degrees, positive to the left.
    package var yaws: [Double]
    /// Loudspeakers of every measurement.
    package var loudspeakers: [Loudspeaker]
    /// Responses `[yaw][loudspeaker][ear][sample]`.
    package var responses: [[[[Float]]]]

    /// Makes a room; the shapes must agree.
    package init(
        attributes: [String: String], sampleRate: Double, sampleCount: Int, yaws: [Double], loudspeakers: [Loudspeaker],
        responses: [[[[Float]]]]
    ) {
        precondition(responses.count == yaws.count && !yaws.isEmpty && !loudspeakers.isEmpty)
        precondition(responses.allSatisfy { $0.count == loudspeakers.count })
        precondition(responses.joined().allSatisfy { $0.count == 2 && $0.allSatisfy { $0.count == sampleCount } })
        self.attributes = attributes
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.yaws = yaws
        self.loudspeakers = loudspeakers
        self.responses = responses
    }

    /// Writes the file, which gets its name only when it is complete. O(size).
    ///
    /// - Parameter isReplacing: whether an existing file at `path` is replaced.
    /// - Throws: `occupied` for an existing file that must not be replaced; `unwritable` if the file cannot be written.
    package func write(to path: String, isReplacing: Bool = false) throws(SOFAError) {
        var texts = ["RoomType": "reverberant", "RoomDescription": "measured by sweeps", "Title": "measured room"]
        for (name, value) in attributes { texts[name] = value }
        let (metres, count) = (CleanFile.Variable.cartesian, yaws.count)
        func repeated(_ row: [Double]) -> [Double] { [[Double]](repeating: row, count: count).flatMap { $0 } }
        let file = CleanFile(
            convention: WrittenRoom.convention, attributes: texts, measurements: count, sampleCount: sampleCount,
            emitters: loudspeakers.count,
            variables: [
                .init(name: "ListenerPosition", values: repeated([0, 0, 0]), axes: ["M", "C"], attributes: metres),
                .init(
                    name: "ListenerView",
                    values: yaws.flatMap { yaw in
                        let angle = yaw * .pi / 180
                        return [cos(angle), sin(angle), 0]
                    }, axes: ["M", "C"], attributes: metres),
                .init(name: "ListenerUp", values: [0, 0, 1], axes: ["I", "C"]),
                .init(name: "SourcePosition", values: repeated([0, 0, 0]), axes: ["M", "C"], attributes: metres),
                .init(name: "SourceView", values: [1, 0, 0], axes: ["I", "C"], attributes: metres),
                .init(name: "SourceUp", values: [0, 0, 1], axes: ["I", "C"]),
                .init(
                    name: "ReceiverPosition", values: [0, 0.09, 0, 0, -0.09, 0], axes: ["R", "C", "I"],
                    attributes: metres),
                .init(
                    name: "EmitterPosition",
                    values: loudspeakers.flatMap { place in
                        [place.azimuth < 0 ? place.azimuth + 360 : place.azimuth, place.elevation, place.distance]
                    }, axes: ["E", "C", "I"], attributes: CleanFile.Variable.spherical),
                .rate(sampleRate),
                .init(name: "Data.Delay", values: [0, 0], axes: ["I", "R", "I"]),
            ])
        try file.write(to: path, isReplacing: isReplacing) { slab in
            var values: [Double] = []
            values.reserveCapacity(slab.measurements.count * 2 * sampleCount * slab.emitters.count)
            for measurement in slab.measurements {
                for ear in 0..<2 {
                    for sample in 0..<sampleCount {
                        for emitter in slab.emitters {
                            values.append(Double(responses[measurement][emitter][ear][sample]))
                        }
                    }
                }
            }
            return values
        }
    }
}
