import Geometry
import HRTF
import Rooms
import Signal
import Testing

/// Rooms of which some responses are silence, as programs write them for loudspeakers that were not measured.
@Suite("Silence in measured rooms")
struct SilentSourcesTests {
    private static let places: [Direction<Stage>?] = [30.0, -30].map {
        Direction<Stage>(azimuthDegrees: $0, elevationDegrees: 0)
    }

    /// Returns a room of loudspeakers with a view at each of these yaws, degrees. Key 10·loudspeaker + view has a click
    /// at sample 2000, unless it is silent.
    private func clicks(_ directions: [Direction<Stage>?], yaws: [Double] = [0], silent: Set<Int>) -> RoomViews {
        RoomViews(
            path: "clicks", title: "clicks", licence: "", sampleRate: 48_000, sampleCount: 4096,
            sources: directions.enumerated().map { source, direction in
                RoomViews.Source(
                    direction: direction, views: yaws.enumerated().map { ($1 * .pi / 180, 10 * source + $0) })
            }, remarks: []
        ) { key, frames throws(RoomError) in
            var row = [Float](repeating: 0, count: 4096)
            if !silent.contains(key) { row[2000] = 1 }
            return (Array(row.prefix(frames)), Array(row.prefix(frames)))
        }
    }

    private func prepared(
        _ views: RoomViews, for loudspeakers: [Direction<Stage>?] = SilentSourcesTests.places
    ) throws -> (RoomResponses, RoomReport) {
        let (room, report) = try RoomResponses.prepare(views, for: loudspeakers, heardThrough: Fixture.field)
        #expect(abs(report.cut * 48_000 - (2000 - Fixture.field.onsetFrames)) < 1)
        for ear in 0..<2 { #expect(room.response(source: 0, yaw: 0, ear: ear).contains { $0 != 0 }) }
        return (room, report)
    }

    @Test("a silent loudspeaker of a room in the layout's order stays dry; the others keep level and time")
    func ordered() throws {
        let (room, report) = try prepared(clicks([nil, nil], silent: [10]))
        #expect(room.assignment == [0, nil] && room.sourceCount == 1)
        #expect(report.remarks.contains { $0.hasPrefix("the loudspeaker at -30°, 0° stays dry") })
        let (_, alone) = try prepared(clicks([nil], silent: []), for: [Self.places[0], nil])
        #expect(abs(report.trim.value - alone.trim.value) < 1e-6)
    }

    @Test("in place of a silent loudspeaker with a direction the nearest other one plays")
    func directed() throws {
        let (room, report) = try prepared(clicks(Self.places, silent: [10]))
        #expect(room.assignment == [0, 0])
        #expect(report.remarks.contains { $0.hasPrefix("its loudspeaker at -30°, 0° is silent") })
        #expect(report.remarks.contains { $0.hasSuffix("is heard from a direction 60° away") })
    }

    @Test("silent looks of a loudspeaker are left out")
    func views() throws {
        let one = [Self.places[0]]
        let (room, report) = try prepared(clicks(one, yaws: [0, 60, -60], silent: [0]), for: one)
        #expect(room.yawCount == 180)
        #expect(report.remarks.contains { $0.contains("is silent in 1 head yaw,") })
    }

    @Test("a room whose loudspeakers in use are all silent is refused", arguments: [true, false])
    func all(_ isDirected: Bool) {
        let directions: [Direction<Stage>?] = isDirected ? Self.places : [nil, nil]
        let error = #expect(throws: RoomError.self) {
            try RoomResponses.prepare(
                clicks(directions, silent: [0, 10]), for: Self.places, heardThrough: Fixture.field)
        }
        #expect(error?.description.contains("is silent") == true)
    }
}
