import Geometry
import HRTF
import Rooms
import Signal
import Stages
import Testing

@Suite("What is measured of a room")
struct RoomFiguresTests {
    private static let ahead: [Direction<Stage>] = [Direction(azimuthDegrees: 0, elevationDegrees: 0)]

    /// Returns the figures of an impulse at both ears, silence to 100 ms, and a tail of samples ±`tail`, 100 ms long.
    private func figures(tail gain: Float) -> RoomFigures {
        let early = PlanarBlock(channels: 2, frames: 4800)
        let tail = PlanarBlock(channels: 2, frames: 4800)
        for ear in 0..<2 {
            early[ear][20] = 1
            for i in 0..<4800 { tail[ear][i] = i % 7 < 3 ? gain : -gain }
        }
        let room = RoomResponses(
            sampleRate: .studio, yawCount: 1, early: early, tail: tail, isTailShared: false, includesDirect: true,
            directGain: 0, assignment: [0])
        return RoomFigures(room, directions: Self.ahead, field: .impulse(sampleRate: .studio))
    }

    @Test("a room without a tail has no clarity and no late coherence, though octave filters ring on")
    func dry() {
        let figures = figures(tail: 0)
        #expect(figures.octaves.allSatisfy { $0.clarity == nil && $0.lateCoherence == nil && $0.earlyCoherence > 0.99 })
        #expect(figures.echoDensities.map(\.milliseconds) == [20, 40, 60, 80])
        #expect(figures.echoDensities.allSatisfy { $0.value == 0 })
    }

    @Test("a tail is measured")
    func tail() {
        let figures = figures(tail: 0.003)
        #expect(figures.octaves.allSatisfy { $0.clarity != nil && ($0.lateCoherence ?? 0) > 0.9 })
        #expect(figures.octaves.contains { abs($0.clarity ?? 99) < 30 })
    }
}
