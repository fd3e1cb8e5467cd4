import Foundation
import Signal
import Testing

@testable import Rendering

/// Sound that bypasses the stage, with the same delay as the stage.
@Suite struct DirectPathTests {
    /// Returns a 1 kHz tone through a path whose delay changes at frame `change`, in calls of 64 frames.
    private func heard(frames: Int, change: Int, from: Int, to: Int) -> [Float] {
        var path = DirectPath(longest: 4096, delay: from)
        let block = PlanarBlock(channels: 2, frames: 64)
        let pair = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        defer { pair.deallocate() }
        pair.initialize(to: block[0])
        (pair + 1).initialize(to: block[1])
        var out = [Float](repeating: 0, count: frames), other = out
        for start in stride(from: 0, to: frames, by: 64) {
            if start == change { path.setDelay(to) }
            for i in 0..<64 {
                block[0][i] = 0.5 * Float(sin(2 * .pi * 1000 * Double(start + i) / 48_000))
                block[1][i] = block[0][i]
            }
            path.add(pair, count: 64, isFirst: true)
            out.withUnsafeMutableBufferPointer { left in
                other.withUnsafeMutableBufferPointer { right in
                    path.hear(count: 64, left: left.baseAddress! + start, right: right.baseAddress! + start)
                }
            }
        }
        return out
    }

    @Test(arguments: [(0, 24), (24, 0), (100, 340), (480, 24)])
    func `Another delay is faded to, and is exact when the fade is over`(from: Int, to: Int) {
        let (frames, change) = (9600, 4800)
        let out = heard(frames: frames, change: change, from: from, to: to)
        func tone(_ frame: Int) -> Float {
            frame < 0 ? 0 : 0.5 * Float(sin(2 * .pi * 1000 * Double(frame) / 48_000))
        }
        for frame in 1000..<change { #expect(out[frame] == tone(frame - from)) }
        for frame in (change + 1100)..<frames { #expect(out[frame] == tone(frame - to)) }
        // A jump would cause a second difference as large as the tone's amplitude. That of the tone itself is at most
        // 0.0086.
        for frame in (change - 2)..<(change + 1000) {
            let bend = abs(out[frame + 1] - 2 * out[frame] + out[frame - 1])
            #expect(bend < 0.012, "frame \(frame): \(bend)")
        }
    }
}
