import CHDF5
import Foundation
import Geometry
import HRTF
import Rooms
import Signal

@testable import SOFA

/// A simulated measurement of a room: a generated room whose reflections follow the head to 160 ms, with its direct
/// sound, for one or two loudspeakers.
struct TrueRoom {
    let room: RoomResponses
    /// The head of the measurement.
    let field: FilterField
    let directions: [Direction<Stage>]

    static let stereo = TrueRoom([30, -30])

    init(_ azimuths: [Double], heardThrough field: FilterField = Fixture.field) {
        self.field = field
        directions = azimuths.map { Direction(azimuthDegrees: $0, elevationDegrees: 0) }
        let options = RoomOptions(early: 0.16)
        room = try! RoomResponses.generate(
            .studio, for: directions, heardThrough: field, options: options
        ).0
    }

    /// Returns the full response with the head turned to yaw·2°: direct sound, reflections, tail.
    func response(source: Int, yaw: Int) -> [[Float]] {
        let head = Rotation<Head, Stage>(yaw: Double(yaw) * .pi / 90).inverse
        let direct = field.responses(head(directions[source]))
        return [direct.left, direct.right].enumerated().map { ear, dry in
            var row = room.response(source: source, yaw: yaw, ear: ear)
            for i in dry.indices { row[i] += room.directGain * dry[i] }
            return row
        }
    }
}

extension TrueRoom {
    /// Returns views of the first loudspeaker, one every `step` steps of 2°, without a file.
    func views(every step: Int) -> RoomViews {
        RoomViews(
            path: "true room", title: "true room", licence: "CC0", sampleRate: 48_000, sampleCount: room.tapCount,
            sources: [
                RoomViews.Source(
                    direction: directions[0],
                    views: stride(from: 0, to: 180, by: step).map { (Double($0) * .pi / 90, $0) })
            ], remarks: []
        ) { yaw, frames throws(RoomError) in
            let ears = response(source: 0, yaw: yaw).map { Array($0.prefix(frames)) }
            return (ears[0], ears[1])
        }
    }
}

/// SOFA files of a true room, with the array shapes of each convention.
enum RoomDraft {
    static let cartesian = [("Type", "cartesian"), ("Units", "metre")]

    /// Writes a file of a convention with a view every `step` steps of 2°, and returns its path. `before` samples of
    /// silence precede each response.
    static func write(
        _ convention: String, _ truth: TrueRoom, step: Int = 5, before: Int = 300, title: String? = "true room",
        spoil: (inout [String: ([Double], [Int], [(String, String)])]) -> Void = { _ in }
    ) throws -> String {
        let yaws = Array(stride(from: 0, to: 180, by: step))
        let emitters = truth.directions.count
        let n = truth.room.tapCount + before
        let isMany = convention == "MultiSpeakerBRIR" || convention == "SingleRoomMIMOSRIR"
        // [yaw][emitter][ear][sample]
        let rows = yaws.map { yaw in
            (0..<emitters).map { source in
                truth.response(source: source, yaw: yaw).map { [Float](repeating: 0, count: before) + $0 }
            }
        }
        var values: [Double] = []
        var views: [Double] = []
        var sources: [Double] = []
        func look(_ yaw: Int) -> [Double] { [cos(Double(yaw) * .pi / 90), sin(Double(yaw) * .pi / 90), 0] }
        func place(_ source: Int) -> [Double] {
            let unit = truth.directions[source].unit
            return [2 * unit.x, 2 * unit.y, 2 * unit.z]
        }
        var variables: [String: ([Double], [Int], [(String, String)])] = [:]
        switch convention {
        case "MultiSpeakerBRIR":
            for row in rows { for ear in 0..<2 { for e in row { values += e[ear].map(Double.init) } } }
            variables["Data.IR"] = (values, [yaws.count, 2, emitters, n], [])
        case "SingleRoomMIMOSRIR":
            for row in rows {
                for ear in 0..<2 { for i in 0..<n { for e in row { values.append(Double(e[ear][i])) } } }
            }
            variables["Data.IR"] = (values, [yaws.count, 2, n, emitters], [])
        case "SimpleFreeFieldHRIR":
            // One loudspeaker, the head on a turntable: the source's direction turns against the head.
            for row in rows { for ear in row[0] { values += ear.map(Double.init) } }
            variables["Data.IR"] = (values, [yaws.count, 2, n], [])
        default:
            for source in 0..<emitters {
                for row in rows { for ear in row[source] { values += ear.map(Double.init) } }
            }
            variables["Data.IR"] = (values, [yaws.count * emitters, 2, n], [])
        }
        if convention == "SimpleFreeFieldHRIR" {
            let azimuth = truth.directions[0].azimuth * 180 / .pi
            variables["SourcePosition"] = (
                yaws.flatMap { [azimuth - Double($0) * 2, 0, 2] }, [yaws.count, 3],
                [("Type", "spherical"), ("Units", "degree, degree, metre")]
            )
            variables["ListenerView"] = ([1, 0, 0], [1, 3], cartesian)
        } else if isMany {
            views = yaws.flatMap(look)
            variables["ListenerView"] = (views, [yaws.count, 3], cartesian)
            variables["SourcePosition"] = ([0, 0, 0], [1, 3], cartesian)
            variables["EmitterPosition"] = ((0..<emitters).flatMap(place), [emitters, 3, 1], cartesian)
        } else {
            for source in 0..<emitters {
                views += yaws.flatMap(look)
                sources += yaws.flatMap { _ in place(source) }
            }
            variables["ListenerView"] = (views, [yaws.count * emitters, 3], cartesian)
            variables["SourcePosition"] = (sources, [yaws.count * emitters, 3], cartesian)
        }
        variables["ListenerUp"] = ([0, 0, 1], [1, 3], [])
        variables["ListenerPosition"] = ([0, 0, 0], [1, 3], cartesian)
        variables["Data.SamplingRate"] = ([48_000], [1], [("Units", "hertz")])
        variables["Data.Delay"] = ([0, 0], [1, 2], [])
        spoil(&variables)

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("room-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("room.sofa").path
        let file = H5Fcreate(path, chdf5_truncate(), 0, 0)
        defer { H5Fclose(file) }
        let writer = HDF5Writer(file: file, path: path)
        var attributes = [
            "Conventions": "SOFA", "Version": "2.1", "SOFAConventions": convention,
            "License": "CC0", "DataType": isMany ? "FIR-E" : "FIR", "RoomType": "reverberant",
        ]
        attributes["Title"] = title
        for (key, value) in attributes { try writer.attribute(key, value) }
        for (key, value) in variables { try writer.doubles(key, value.0, value.1, value.2) }
        return path
    }

    static func remove(_ path: String) {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}
