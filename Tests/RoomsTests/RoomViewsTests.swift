import Geometry
import HRTF
import Signal
import Testing

@testable import Rooms

/// Reading of measured rooms, which may have gigabytes: the samples that are read, delays, positions.
@Suite("Views of measured rooms")
struct RoomViewsTests {
    /// Samples of each response: eleven seconds at 48 kHz.
    private static let samples = 1 << 19

    /// Returns views of one loudspeaker, each of 2^19 samples: a response of the true room, then silence.
    private func longViews(
        _ yaws: [Double], asked: @escaping (_ key: Int, _ frames: Int) -> Void
    ) -> RoomViews {
        let truth = TrueRoom.stereo
        return RoomViews(
            path: "long room", title: "long room", licence: "CC0", sampleRate: 48_000, sampleCount: Self.samples,
            sources: [
                RoomViews.Source(direction: truth.directions[0], views: yaws.enumerated().map { ($1, $0) })
            ], remarks: []
        ) { key, frames throws(RoomError) in
            asked(key, frames)
            let step = Int((yaws[key] * 90 / .pi).rounded()) % 180
            let ears = truth.response(source: 0, yaw: step).map { row in
                Array(row.prefix(frames)) + [Float](repeating: 0, count: max(0, frames - row.count))
            }
            return (ears[0], ears[1])
        }
    }

    @Test("of every view no more is read than is kept, and of one what is played") func reading() throws {
        // Views every 0.5°, four times as fine as the prepared yaws.
        var keys: [Int] = []
        var frames: [Int] = []
        let views = longViews((0..<720).map { Double($0) * .pi / 360 }) {
            keys.append($0)
            frames.append($1)
        }
        let (room, _) = try RoomResponses.prepare(
            views, for: [views.sources[0].direction], heardThrough: Fixture.field)
        #expect(room.sourceCount == 1 && room.yawCount == 180)
        #expect(keys.count == 180 && Set(keys).count == 180)
        // Of each view at most 250 ms of onset, the 80 ms that follow the head, and 65 frames for the converter. Of one
        // view 4.25 s.
        let whole = frames.filter { $0 > 48_000 * 33 / 100 + 65 }
        #expect(whole == [48_000 * 17 / 4], "\(whole.prefix(8))")
    }

    @Test("what would have to be held is refused before anything is read") func size() throws {
        // All views of a quarter turn are held; only of a full circle are those between the prepared yaws left out.
        var count = 0
        let views = longViews((0..<20_000).map { Double($0) * .pi / 40_000 }) { _, _ in count += 1 }
        let error = #expect(throws: RoomError.self) {
            _ = try RoomResponses.prepare(views, for: [views.sources[0].direction], heardThrough: Fixture.field)
        }
        guard case .tooLarge(let path, let bytes, let most) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == "long room" && bytes > most && most == RoomResponses.mostBytes)
        #expect(count == 0)
    }

    @Test(
        "of delays that a file names the differences are added, and nothing of a response is cut",
        arguments: [(-20.0, 30.0), (30_000, 30_050)])
    func delays(_ first: Double, _ second: Double) throws {
        let truth = TrueRoom.stereo
        let before = 300
        let path = try RoomDraft.write("SingleRoomSRIR", truth, step: 90, before: before) {
            $0["Data.Delay"] = ([first, second], [1, 2], [])
        }
        defer { RoomDraft.remove(path) }
        let views = try RoomViews(sofaAt: path)
        let source = try #require(views.sources.first)
        #expect(source.views.count == 2 && views.sampleCount == truth.room.tapCount + before + 50)
        let more = [Float](repeating: 0, count: 50)
        for (view, yaw) in zip(source.views, [0, 90]) {
            let stored = truth.response(source: 0, yaw: yaw).map { [Float](repeating: 0, count: before) + $0 }
            let (left, right) = (stored[0] + more, more + stored[1])
            for frames in [1000, views.sampleCount] {
                let found = try views.read(view.key, frames)
                let isMoved =
                    found.left == Array(left.prefix(frames)) && found.right == Array(right.prefix(frames))
                #expect(isMoved, "\(frames) frames at \(2 * yaw)°")
            }
        }
    }

    @Test("elevations about a half degree are one ring of a room labelled as free field, others are not")
    func rings() throws {
        let cases: [([Double], [Double])] = [([24.4, 24.6], [24.5]), ([24, 25], [24, 25])]
        for (heights, rings) in cases {
            let path = try RoomDraft.write("SimpleFreeFieldHRIR", .stereo, step: 5) { variables in
                guard let (values, shape, attributes) = variables["SourcePosition"] else { return }
                let places = values.indices.map { $0 % 3 == 1 ? heights[$0 / 3 % 2] : values[$0] }
                variables["SourcePosition"] = (places, shape, attributes)
            }
            defer { RoomDraft.remove(path) }
            let sources = try RoomViews(sofaAt: path).sources
            #expect(sources.map { $0.views.count } == rings.map { _ in 36 / rings.count })
            for (source, height) in zip(sources, rings) {
                let elevation = try #require(source.direction).elevation * 180 / .pi
                #expect(abs(elevation - height) < 0.01)
            }
        }
    }

    @Test("loudspeakers in more than a thousand places are refused") func places() throws {
        var places: [Double] = []
        for column in 0..<33 {
            for row in 0..<34 { places += [1 + 0.1 * Double(column), 0.1 * Double(row) - 1.6, 0] }
        }
        let count = places.count / 3
        let path = try RoomDraft.write("SingleRoomSRIR", .stereo, step: 180) {
            $0["Data.IR"] = ([Double](repeating: 0, count: count * 2 * 4), [count, 2, 4], [])
            $0["SourcePosition"] = (places, [count, 3], RoomDraft.cartesian)
            $0["ListenerView"] = ([1, 0, 0], [1, 3], RoomDraft.cartesian)
        }
        defer { RoomDraft.remove(path) }
        let error = #expect(throws: RoomError.self) { _ = try RoomViews(sofaAt: path) }
        guard case .implausible(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("more than 1024 places"))
    }
}
