import Foundation
import Geometry
import Glibc
import HRTF
import Rooms
import Signal
import Testing

/// A head, a 7.1.4 stage (its LFE dry) and its generated rooms, made once.
enum Fixture {
    static let field = try! FilterField.prepare(GeneratedHead().set(), sampleRate: .studio).0
    /// Debian's measured set, nil without libmysofa1. Bounds that depend on the length of the head's responses are
    /// tested through this set, since it stays the same.
    static let kemar =
        FileManager.default.fileExists(atPath: HRTFLibrary.systemDefault)
        ? try! FilterField.prepare(FilterField.read(HRTFLibrary.systemDefault), sampleRate: .studio).0 : nil
    static let absence: Comment = "Debian's measured set is not installed (apt install libmysofa1)"
    static let loudspeakers: [Direction<Stage>?] =
        [30, -30, 0, nil, 135, -135, 90, -90].map { azimuth in
            azimuth.map { Direction(azimuthDegrees: $0, elevationDegrees: 0) }
        } + [45, -45, 135, -135].map { Direction(azimuthDegrees: $0, elevationDegrees: 30) }
    static let studio = room(.studio)
    /// Every generated room by its name.
    static let rooms = Dictionary(
        uniqueKeysWithValues: Shoebox.presets.map { box in
            (box.name, try! RoomResponses.generate(box, for: loudspeakers, heardThrough: field).0)
        })
    static func room(_ box: Shoebox) -> RoomResponses { rooms[box.name]! }
}

/// Returns the energy of a range of samples.
private func energy(_ row: [Double], _ range: Range<Int>) -> Double { row[range].reduce(0) { $0 + $1 * $1 } }

@Suite("Generated rooms")
struct GeneratedTests {
    @Test(
        "rings in each octave from 250 Hz as long as it says, within 10 %, over all sources", arguments: Shoebox.presets
    )
    func reverberation(_ box: Shoebox) throws {
        let room = Fixture.room(box)
        for band in 1..<OctaveBands.centres.count {
            var times: [Double] = []
            for source in 0..<room.sourceCount {
                let row = room.response(source: source, yaw: 0, ear: 0)
                let decay = RoomMeasures.energyDecay(RoomMeasures.octave(band, of: row, sampleRate: 48_000))
                times.append(try #require(RoomMeasures.reverberationTime(decay, sampleRate: 48_000)))
            }
            let mean = times.reduce(0, +) / Double(times.count)
            // The octave's filter also passes half of each neighbouring octave, whose reverberation time differs.
            #expect(abs(mean / box.reverberationTimes[band] - 1) < (band == 6 ? 0.15 : 0.1), "band \(band): \(times)")
        }
    }

    @Test("is as loud as the dry stage")
    func loudness() {
        let (room, field) = (Fixture.studio, Fixture.field)
        let loudness = EarLoudness(taps: room.tapCount, sampleRate: 48_000)
        var energies = (0.0, 0.0)
        for (index, direction) in Fixture.loudspeakers.compactMap({ $0 }).enumerated() {
            let dry = field.responses(Rotation<Stage, Head>(yaw: 0)(direction))
            let wet = [dry.left, dry.right].enumerated().map { ear, direct in
                var row = room.response(source: index, yaw: 0, ear: ear)
                for i in direct.indices { row[i] += room.directGain * direct[i] }
                return row
            }
            energies.0 += loudness.energy(left: dry.left, right: dry.right)
            energies.1 += loudness.energy(left: wet[0], right: wet[1])
        }
        #expect(abs(10 * log10(energies.1 / energies.0)) < 0.01)
    }

    @Test("is the same on every run, and longer or shared as asked")
    func choices() throws {
        let options = RoomOptions(early: 0.1, isTailShared: true, level: Decibels(-6))
        let rooms = try (0..<2).map { _ in
            try RoomResponses.generate(
                .studio, for: [Direction(azimuthDegrees: 0, elevationDegrees: 0), nil], heardThrough: Fixture.field,
                options: options
            ).0
        }
        #expect(rooms[0].earlyTaps == 4800 && rooms[0].isTailShared && rooms[0].assignment == [0, nil])
        #expect(rooms[0].response(source: 0, yaw: 17, ear: 1) == rooms[1].response(source: 0, yaw: 17, ear: 1))
        #expect(rooms[0].directGain > Fixture.studio.directGain, "less room leaves more direct sound")
        #expect(throws: RoomError.noSources) {
            try RoomResponses.generate(.studio, for: [nil], heardThrough: Fixture.field)
        }
    }

    @Test("a room that would take more memory than a room may have is refused before it is made")
    func size() {
        let many = (0..<48).map { index -> Direction<Stage>? in
            Direction(azimuthDegrees: Double(7 * index - 168), elevationDegrees: 0)
        }
        let error = #expect(throws: RoomError.self) {
            try RoomResponses.generate(
                .studio, for: many, heardThrough: Fixture.field, options: RoomOptions(early: 1))
        }
        #expect(error?.description.contains("more than the 2048 MB a room may have") == true)
    }

    @Test("a loudspeaker told to stand behind a wall stands before it, whole")
    func walls() throws {
        let rooms = try [8.0, 20].map {
            try RoomResponses.generate(
                .studio, for: [.init(azimuthDegrees: 0, elevationDegrees: 0)], at: [$0], heardThrough: Fixture.field
            ).0
        }
        #expect(rooms[0].response(source: 0, yaw: 17, ear: 1) == rooms[1].response(source: 0, yaw: 17, ear: 1))
        #expect(rooms[0].tail(source: 0, ear: 0)[100] == rooms[1].tail(source: 0, ear: 0)[100])
    }

    @Test("a turn of the head is a turn of the room: at 90° to the left the first wall is heard from where it stands")
    func turns() throws {
        let ahead: [Direction<Stage>?] = [Direction(azimuthDegrees: 0, elevationDegrees: 0)]
        let (room, _) = try RoomResponses.generate(.hall, for: ahead, heardThrough: Fixture.field)
        // The first reflection is the floor's, 1.8 m below: looking left, loudspeaker and floor are to the right.
        let (left, right) = (0..<2).reduce(into: (0.0, 0.0)) { sums, ear in
            let row = room.response(source: 0, yaw: 45, ear: ear).map(Double.init)
            if ear == 0 { sums.0 = energy(row, 0..<600) } else { sums.1 = energy(row, 0..<600) }
        }
        #expect(right > 3 * left)
    }
}
