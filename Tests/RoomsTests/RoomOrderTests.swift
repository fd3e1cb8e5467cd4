import Geometry
import Testing

@testable import Rooms

/// Rooms that name no directions, as sound files do: their order is the layout's.
@Suite("Rooms in the layout's order")
struct RoomOrderTests {
    private static func direction(_ azimuth: Double) -> Direction<Stage>? {
        Direction<Stage>(azimuthDegrees: azimuth, elevationDegrees: 0)
    }

    /// FL FR FC LFE SL SR.
    private static let surround: [Direction<Stage>?] = [
        direction(30), direction(-30), direction(0), nil, direction(110), direction(-110),
    ]

    private func room(_ count: Int) -> RoomViews {
        RoomViews(
            path: "order", title: "order", licence: "", sampleRate: 48_000, sampleCount: 32,
            sources: (0..<count).map { RoomViews.Source(direction: nil, views: [(0, $0)]) }, remarks: []
        ) { _, frames throws(RoomError) in
            ([Float](repeating: 1, count: frames), [Float](repeating: 1, count: frames))
        }
    }

    /// Returns the room's source of each loudspeaker of the stage.
    private func sources(_ assigned: RoomAssignment) -> [Int?] {
        assigned.assignment.map { part in part.map { assigned.parts[$0].source } }
    }

    @Test("further inputs get the main layout's sources, with the pair of the low-frequency channel or without it")
    func furtherInputs() throws {
        for (count, own) in [(6, [0, 1, 2, nil, 4, 5]), (5, [0, 1, 2, nil, 3, 4])] as [(Int, [Int?])] {
            let more = [Self.direction(-30), nil, Self.direction(100)]
            let assigned = try RoomAssignment(room(count), for: Self.surround + more, layout: Self.surround)
            #expect(sources(assigned) == own + [1, nil, own[4]])
            #expect(assigned.remarks == ["the loudspeaker at 100°, 0° is heard from a direction 10° away"])
            // An input without any loudspeaker in the room changes nothing.
            let dry = try RoomAssignment(room(count), for: Self.surround + [nil], layout: Self.surround)
            #expect(sources(dry) == own + [nil])
        }
    }

    @Test("loudspeakers in one direction keep their own sources")
    func oneDirection() throws {
        let layout = [Self.direction(0), Self.direction(0)]
        let assigned = try RoomAssignment(room(2), for: layout + [Self.direction(0)], layout: layout)
        #expect(sources(assigned) == [0, 1, 0])
    }

    @Test("a room may hold the loudspeakers of all inputs too; another number is refused")
    func others() throws {
        let stereo = [Self.direction(30), Self.direction(-30)]
        let all = try RoomAssignment(room(4), for: stereo + stereo, layout: stereo)
        #expect(sources(all) == [0, 1, 2, 3])
        let error = #expect(throws: RoomError.self) {
            _ = try RoomAssignment(room(3), for: stereo + stereo, layout: stereo)
        }
        #expect(error?.description.contains("has 3 sources, but 2 loudspeakers of this layout") == true)
    }
}
