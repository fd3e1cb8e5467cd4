import Rooms
import Signal
import Testing

@Suite("Room responses")
struct ResponsesTests {
    @Test("rows stand where their source, yaw and ear say, and the tail follows the early part")
    func places() {
        let early = PlanarBlock(channels: 2 * 4 * 2, frames: 32)
        for row in 0..<early.channelCount { early[row][0] = Float(row) }
        let tail = PlanarBlock(channels: 2 * 2, frames: 5)
        for row in 0..<tail.channelCount { tail[row][4] = 100 + Float(row) }
        let room = RoomResponses(
            sampleRate: .studio, yawCount: 4, early: early, tail: tail, isTailShared: false, includesDirect: true,
            directGain: 1, assignment: [1, nil, 0])
        #expect(room.sourceCount == 2 && room.tapCount == 37)
        #expect(room.early(source: 1, yaw: 2, ear: 1)[0] == Float((1 * 4 + 2) * 2 + 1))
        let whole = room.response(source: 1, yaw: 3, ear: 0)
        #expect(whole.count == 37 && whole[0] == 14 && whole[36] == 102)
        #expect(room.directGain == 0, "the head-related filters are silent where the room brings the direct sound")
    }

    @Test("a shared tail is the same for all sources")
    func shared() {
        let tail = PlanarBlock(channels: 2, frames: 3)
        tail[1][2] = 7
        let room = RoomResponses(
            sampleRate: .studio, yawCount: 1, early: PlanarBlock(channels: 6, frames: 16), tail: tail,
            isTailShared: true, includesDirect: false, directGain: 0.5, assignment: [0, 1, 2])
        #expect(room.sourceCount == 3 && room.directGain == 0.5)
        for source in 0..<3 { #expect(room.tail(source: source, ear: 1)[2] == 7) }
    }
}
