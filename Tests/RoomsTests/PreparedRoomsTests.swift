import Foundation
import Geometry
import HRTF
import Signal
import Testing

@testable import Rooms

@Suite("Prepared rooms")
struct PreparedRoomsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rooms-\(UUID())").path
    private var cache: PreparedRooms { PreparedRooms(folder: folder) }
    private static let places: [Direction<Stage>?] = [
        Direction(azimuth: 30, elevation: 0), nil, Direction(azimuth: -30, elevation: 0),
    ]

    private static func made(_ box: Shoebox = .studio) throws(RoomError) -> PreparedRooms.Room {
        try RoomResponses.generate(
            box, for: places, heardThrough: Fixture.field, options: RoomOptions(early: 0.005, isTailShared: true))
    }

    /// All samples of a room.
    private func samples(_ room: RoomResponses) -> [Float] {
        (0..<room.sourceCount).flatMap { source in
            (0..<room.yawCount).flatMap { yaw in (0..<2).flatMap { room.response(source: source, yaw: yaw, ear: $0) } }
        }
    }

    @Test("a cached room is the prepared one, bit for bit, and is not prepared again")
    func again() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (truth, report) = try Self.made()
        var count = 0
        for _ in 0..<3 {
            let (room, told) = try cache.room(["studio"], heardThrough: Fixture.field) { () throws(RoomError) in
                count += 1
                return try Self.made()
            }
            #expect(samples(room) == samples(truth) && told == report)
            #expect(room.assignment == truth.assignment && room.directGain == truth.directGain)
            #expect(room.isTailShared && !room.includesDirect && room.sampleRate == truth.sampleRate)
        }
        #expect(count == 1)
    }

    @Test("stages that play the same room share it; another room, another head are others")
    func shared() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (first, _) = try cache.room(["a"], heardThrough: Fixture.field) { () throws(RoomError) in try Self.made() }
        let (second, _) = try cache.room(["a"], heardThrough: Fixture.field) { () throws(RoomError) in
            Issue.record("prepared twice")
            return try Self.made()
        }
        #expect(first === second)
        var count = 0
        let other = FilterField.sphere(sampleRate: .studio, radius: 0.1)
        for (words, field) in [(["b"], Fixture.field), (["a", ""], Fixture.field), (["a"], other)] {
            _ = try cache.room(words, heardThrough: field) { () throws(RoomError) in
                count += 1
                return try Self.made()
            }
        }
        #expect(count == 3)
        #expect(other.fingerprint() != Fixture.field.fingerprint())
    }

    @Test("a damaged entry is removed and prepared anew, with a remark; one that cannot be kept still plays")
    func damaged() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func room() throws -> RoomReport {
            try cache.room(["a"], heardThrough: Fixture.field) { () throws(RoomError) in try Self.made() }.report
        }
        #expect(try room().remarks.isEmpty)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folder + "/" + name))
        #expect(try room().remarks.contains { $0.contains("was damaged") })
        #expect(try room().remarks.isEmpty)
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(fileURLWithPath: folder))  // A file in the folder's place.
        #expect(try room().remarks.contains { $0.contains("could not be stored in") })
    }

    @Test("rooms without a title have the names of their files")
    func untitled() throws {
        let path = try RoomDraft.write("SingleRoomSRIR", TrueRoom([10]), step: 180, title: nil)
        defer { RoomDraft.remove(path) }
        let other = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/hall.sofa"
        try FileManager.default.copyItem(atPath: path, toPath: other)
        #expect(try RoomViews(sofaAt: path).title == "room.sofa")
        #expect(try RoomViews(sofaAt: other).title == "hall.sofa")
    }

    @Test("no bytes but whole ones are decoded")
    func bytes() throws {
        let bytes = try PreparedRooms.encoded(try Self.made())
        func decodes(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PreparedRooms.decoded($0) } != nil }
        let isTaken = decodes(bytes)
        #expect(isTaken)
        for count in [0, 1, 16, 17, 24, 25, 200, bytes.count / 2, bytes.count - 1] {
            let isTaken = decodes(Array(bytes.prefix(count)))
            #expect(!isTaken, "\(count) bytes")
        }
        for place in [0, 10, 17, 20, 30, 100, bytes.count / 3, bytes.count - 8, bytes.count - 1] {
            var other = bytes
            other[place] ^= 0x10
            let isTaken = decodes(other)
            #expect(!isTaken, "byte \(place)")
        }
        // A checksum that fits other numbers.
        let changes = [
            (#""yaws":180"#, #""yaws":181"#, Data.SearchOptions.backwards), (#""early":"#, #""early":9"#, []),
            (#""sources":2"#, #""sources":-2"#, .backwards),
        ]
        for (from, to, options) in changes {
            var data = Data(bytes.dropLast(8))
            data.replaceSubrange(try #require(data.range(of: Data(from.utf8), options: options)), with: Data(to.utf8))
            var made = [UInt8](data)
            let former = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 17, as: UInt64.self) }
            withUnsafeBytes(of: former + UInt64(made.count - bytes.count + 8)) { length in
                for (place, byte) in length.enumerated() { made[17 + place] = byte }
            }
            let sum = made.withUnsafeBytes { CacheEntries.checksum($0) }
            withUnsafeBytes(of: sum) { made += $0 }
            let isTaken = decodes(made)
            #expect(!isTaken, "\(to)")
        }
    }
}
