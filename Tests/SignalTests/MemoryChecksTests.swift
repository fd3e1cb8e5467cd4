import Testing

@testable import Signal

/// In debug builds an access beyond the memory ends the program with a message that names the index and its bound.
@Suite struct MemoryChecksTests {
    /// Returns the standard error of a program that ended.
    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func aChannelThatIsNoneIsNamedWithItsBound() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let block = PlanarBlock(channels: 2, frames: 64)
            block[2][0] = 1
        }
        #expect(message(result).contains("channel of a block: index 2 is outside 0..<2"))
    }

    @Test func aWriteBehindTheLastFrameIsNamedWhenTheBlockGoes() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let block = PlanarBlock(channels: 2, frames: 60)
            block[1][60] = 1
        }
        #expect(message(result).contains("frame written in a block's channel: index 60 is outside 0..<60"))
    }

    @Test func framesBeyondARingsRoomAreNamed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ring = FrameRing(channels: 1, minimumCapacity: 16)
            ring.publish(10)
            ring.publish(7)
        }
        #expect(message(result).contains("frames published beyond a ring's room: index 7 is outside 0..<7"))
    }
}
