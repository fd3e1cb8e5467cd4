import AbsentPlaces
import CHDF5
import Foundation
import Geometry
import Testing

@testable import SOFA

@Suite("Files written anew") struct ConversionTests {
    private static let author = SOFAConversion.Author(version: "1", date: "2026-11-25 12:00:00")

    /// Converts a draft and passes the paths of both files to `look`.
    private func converted(_ draft: Draft, _ look: (_ old: String, _ new: String) throws -> Void) throws {
        let path = try draft.write()
        defer { Draft.remove(path) }
        let target = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("new.sofa").path
        try SOFAConversion(contentsOf: path, by: Self.author).write(to: target, isReplacing: false)
        try look(path, target)
    }

    private func doubles(_ path: String, _ name: String) throws -> (values: [Double], shape: [Int]) {
        try HDF5File(path: path).doubles(name, most: 1 << 24)
    }

    @Test("doubles come through bit by bit, positions too, and texts are kept") func exactness() throws {
        var draft = Draft()
        draft.variables["Data.IR"]?.values = (0..<(6 * 64)).map { place -> Double in
            let click: Double = place % 32 == 10 ? 1 : 0
            return click + sin(Double(place) * 1.1) / 3
        }
        draft.variables["Data.Delay"] = ((0..<12).map { Double($0) / 7 }, [6, 2], [])
        draft.attributes["License"] = "CC0, für alle"
        draft.attributes["History"] = "measured"
        draft.attributes["Of my own"] = "kept"
        try converted(draft) { old, new throws in
            for name in ["Data.IR", "Data.Delay", "SourcePosition", "Data.SamplingRate"] {
                let (before, after) = (try doubles(old, name), try doubles(new, name))
                #expect(before.values == after.values && before.shape == after.shape, "\(name)")
            }
            let texts = try HDF5File(path: new).texts()
            #expect(texts["License"] == "CC0, für alle" && texts["Of my own"] == "kept" && texts["Title"] == "draft")
            #expect(
                texts["History"]
                    == "measured; 2026-11-25 12:00:00 UTC: converted from SimpleFreeFieldHRIR (SOFA 2.1) to "
                    + "SimpleFreeFieldHRIR by Proscenium 1")
            // A second conversion keeps the numbers.
            let again = new + ".again"
            try SOFAConversion(contentsOf: new, by: Self.author).write(to: again, isReplacing: false)
            #expect(try doubles(again, "Data.IR").values == doubles(old, "Data.IR").values)
            #expect(try doubles(again, "SourcePosition").values == doubles(old, "SourcePosition").values)
        }
    }

    @Test("what was measured on a turntable is seen from the head; silent measurements go") func turntable() throws {
        var draft = Draft()
        draft.variables["ListenerView"] = (
            [0.0, 45, 90, 180, 270, 315].flatMap { (azimuth: Double) -> [Double] in
                [cos(azimuth * .pi / 180), sin(azimuth * .pi / 180), 0]
            }, [6, 3],
            [("Type", "cartesian"), ("Units", "metre")]
        )
        draft.variables["SourcePosition"] = ([2, 0, 0], [1, 3], [("Type", "cartesian"), ("Units", "metre")])
        for place in 0..<64 { draft.variables["Data.IR"]?.values[3 * 64 + place] = 0 }
        try converted(draft) { old, new throws in
            let (before, after) = (try FreeFieldHRIR(contentsOf: old), try FreeFieldHRIR(contentsOf: new))
            #expect(after.measurementCount == 5 && after.remarks.isEmpty && after.responses == before.responses)
            let angles = zip(before.directions, after.directions).map { $0.angle(to: $1) }
            #expect(angles.allSatisfy { $0 < 1e-12 })
            let places = try doubles(new, "SourcePosition")
            #expect(places.shape == [5, 3] && abs(places.values[3] - 315) < 1e-9 && places.values[5] == 2)
        }
    }

    @Test("exchanged ears are put right, with their delays") func ears() throws {
        var draft = Draft()
        draft.variables["Data.Delay"] = ([0, 0.5], [1, 2], [])
        let path = try draft.write()
        defer { Draft.remove(path) }
        var conversion = try SOFAConversion(contentsOf: path, by: Self.author)
        conversion.exchangeEars()
        try conversion.write(to: path + ".new", isReplacing: false)
        let (before, after) = (try FreeFieldHRIR(contentsOf: path), try FreeFieldHRIR(contentsOf: path + ".new"))
        #expect(after.delays.prefix(2) == [0.5, 0])
        for m in 0..<6 {
            #expect(Array(before.response(m, receiver: 0)) == Array(after.response(m, receiver: 1)))
            #expect(Array(before.response(m, receiver: 1)) == Array(after.response(m, receiver: 0)))
        }
    }

    @Test("emitters become measurements, in whichever order their axes are") func emitters() throws {
        for (convention, isLast) in [("GeneralFIR-E", true), ("GeneralFIRE", false)] {
            var draft = Draft()
            let rows = draft.variables["Data.IR"]?.values ?? []
            var values = [Double](repeating: 0, count: rows.count)
            for m in 0..<6 {
                for ear in 0..<2 {
                    for n in 0..<32 {
                        values[isLast ? (ear * 32 + n) * 6 + m : (ear * 6 + m) * 32 + n] =
                            rows[(m * 2 + ear) * 32 + n] / 3
                    }
                }
            }
            draft.attributes["SOFAConventions"] = convention
            draft.attributes["DataType"] = isLast ? "FIR-E" : "FIRE"
            draft.variables["Data.IR"] = (values, isLast ? [1, 2, 32, 6] : [1, 2, 6, 32], [])
            draft.variables["EmitterPosition"] = draft.variables["SourcePosition"]
            draft.variables["SourcePosition"] = nil
            draft.variables["Data.Delay"] = ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 6], [])
            draft.variables["ReceiverPosition"] = (
                [0, 0.08, 0, 0, -0.08, 0], [2, 3], [("Type", "cartesian"), ("Units", "metre")]
            )
            try converted(draft) { _, new throws in
                #expect(try doubles(new, "Data.IR").values == rows.map { $0 / 3 }, "\(convention)")
                #expect(try doubles(new, "ReceiverPosition").values == [0, 0.08, 0, 0, -0.08, 0])
                #expect(try FreeFieldHRIR(contentsOf: new).remarks.isEmpty)
            }
        }
    }

    @Test("headphones stay headphones, rooms rooms; both orders of axes become the standard's") func others() throws {
        var headphone = Draft()
        headphone.attributes["SOFAConventions"] = "HeadphoneIR"
        try converted(headphone) { old, new throws in
            #expect(try HDF5File(path: new).text("SOFAConventions") == "SimpleHeadphoneIR")
            #expect(try doubles(new, "Data.IR").values == doubles(old, "Data.IR").values)
            #expect(try HeadphoneResponses(contentsOf: new).remarks.isEmpty)
        }
        var room = Draft()
        room.attributes["SOFAConventions"] = "SingleRoomDRIR"
        room.attributes["RoomType"] = "reverberant"
        try converted(room) { old, new throws in
            #expect(try HDF5File(path: new).text("SOFAConventions") == "SingleRoomSRIR")
            #expect(try doubles(new, "Data.IR").values == doubles(old, "Data.IR").values)
            #expect(try doubles(new, "ListenerPosition").shape == [6, 3])
            let (before, after) = (try BinauralRoom(contentsOf: old), try BinauralRoom(contentsOf: new))
            #expect(before.measurements.map(\.offsets) == after.measurements.map(\.offsets))
        }
        var speakers = Draft()
        let rows = speakers.variables["Data.IR"]?.values ?? []
        speakers.attributes["SOFAConventions"] = "MultiSpeakerBRIR"
        speakers.attributes["DataType"] = "FIRE"
        // Two measurements of three loudspeakers, samples last.
        speakers.variables["Data.IR"] = (rows, [2, 2, 3, 32], [])
        speakers.variables["SourcePosition"] = ([0, 0, 0], [1, 3], [("Type", "cartesian"), ("Units", "metre")])
        speakers.variables["EmitterPosition"] = (
            [2, 0, 0, 2, 1, 0, 2, -1, 0], [3, 3], [("Type", "cartesian"), ("Units", "metre")]
        )
        try converted(speakers) { old, new throws in
            #expect(try HDF5File(path: new).text("SOFAConventions") == "SingleRoomMIMOSRIR")
            #expect(try doubles(new, "Data.IR").shape == [2, 2, 32, 3])
            let (before, after) = (try BinauralRoom(contentsOf: old), try BinauralRoom(contentsOf: new))
            for m in 0..<2 {
                for e in 0..<3 {
                    let one = try before.responses(measurement: m, emitter: e, frames: 32)
                    let other = try after.responses(measurement: m, emitter: e, frames: 32)
                    #expect(one.left == other.left && one.right == other.right)
                }
                #expect(before.measurements[m].offsets == after.measurements[m].offsets)
            }
        }
    }

    @Test("no file is replaced unless that is said, and none appears before it is complete") func replacing() throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        let target = path + ".new"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        let conversion = try SOFAConversion(contentsOf: path, by: Self.author)
        #expect(throws: SOFAError.occupied(path: target)) { try conversion.write(to: target, isReplacing: false) }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        #expect(throws: SOFAError.cancelled(path: path)) {
            try conversion.write(to: target, isReplacing: true) { _ in false }
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        try conversion.write(to: target, isReplacing: true)
        #expect(try FreeFieldHRIR(contentsOf: target).measurementCount == 6)
        // A conversion may replace its own source.
        try SOFAConversion(contentsOf: target, by: Self.author).write(to: target, isReplacing: true)
        #expect(try FreeFieldHRIR(contentsOf: target).measurementCount == 6)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.filter { $0.hasSuffix(".partial") }.isEmpty, "\(left)")
        let nowhere = AbsentPlace.path("all.sofa")
        #expect(throws: SOFAError.self) { try conversion.write(to: nowhere, isReplacing: false) }
    }

    @Test("what a room has in it that is no number is refused while it is written") func notANumber() throws {
        var room = Draft()
        room.attributes["SOFAConventions"] = "SingleRoomSRIR"
        room.variables["Data.IR"]?.values[5 * 64] = .nan
        let path = try room.write()
        defer { Draft.remove(path) }
        let conversion = try SOFAConversion(contentsOf: path, by: Self.author)
        #expect(throws: SOFAError.self) { try conversion.write(to: path + ".new", isReplacing: false) }
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }
}
