import Testing

@testable import Signal

@Suite struct FrameRingTests {
    @Test(arguments: [(1, 1), (7, 13), (100, 33), (256, 256)])
    func framesComeOutAsTheyWentInWhereverRowsAreCut(_ written: Int, _ taken: Int) {
        let ring = FrameRing(channels: 3, minimumCapacity: 200)
        defer { ring.deallocate() }
        #expect(ring.capacity == 256 && ring.room == 256 && ring.waiting == 0)
        let rows = PlanarBlock(channels: 3, frames: 256)
        let out = PlanarBlock(channels: 3, frames: 256)
        var (next, seen) = (0, 0)
        while seen < 2000 {
            if ring.room >= written {
                for channel in 0..<3 {
                    for i in 0..<written { rows[channel][i] = Float(3 * (next + i) + channel) }
                    ring.write(rows[channel], channel: channel, count: written)
                }
                ring.publish(written)
                next += written
            }
            let count = min(taken, ring.waiting)
            for channel in 0..<3 { ring.read(into: out[channel], channel: channel, count: count) }
            ring.release(count)
            for channel in 0..<3 { for i in 0..<count { #expect(out[channel][i] == Float(3 * (seen + i) + channel)) } }
            seen += count
        }
        #expect(ring.published == next && ring.released == seen)
    }

    @Test func interleavedFramesAreTheSameFrames() {
        let ring = FrameRing(channels: 2, minimumCapacity: 8)
        defer { ring.deallocate() }
        var frames: [Float] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        for _ in 0..<5 {
            ring.write(interleaved: frames, count: 5)
            ring.publish(5)
            let row = PlanarBlock(channels: 1, frames: 5)
            ring.read(into: row[0], channel: 1, count: 5)
            #expect((0..<5).map { row[0][$0] } == [1, 3, 5, 7, 9])
            var back = [Float](repeating: -1, count: 10)
            ring.read(interleaved: &back, count: 5)
            ring.release(5)
            #expect(back == frames)
        }
        frames[3] = .nan
        ring.write(finite: frames, channel: 0, count: 5)
        ring.write(repeating: 1, channel: 1, count: 5)
        ring.publish(5)
        #expect(ring.holds(1, channel: 1, count: 5) && !ring.holds(1, channel: 0, count: 5))
        #expect(!ring.holds(.nan, channel: 0, count: 4))
        ring.takeBack()
        #expect(ring.waiting == 0 && ring.room == 8)
    }

    @Test func theOldestFramesLieTogetherUpToTheRowsEnd() {
        let ring = FrameRing(channels: 1, minimumCapacity: 8)
        defer { ring.deallocate() }
        let row: [Float] = [1, 2, 3, 4, 5, 6]
        for _ in 0..<2 {
            ring.write(row, channel: 0, count: 6)
            ring.publish(6)
            #expect(ring.oldest(channel: 0).pointee == 1)
            ring.release(ring.published == 6 ? 6 : 0)
        }
        // Frames 6 to 11 lie in slots 6, 7, 0, 1, 2 and 3.
        #expect(ring.adjoining(6) == 2 && ring.adjoining(1) == 1)
        ring.release(2)
        #expect(ring.adjoining(4) == 4 && ring.oldest(channel: 0).pointee == 3)
    }
}
