import FakePlugins
import Glibc
import Inserts
import Signal

/// Chains of one programme of two channels and one of one channel, run slice by slice over a tone on all of them.
final class ChainBench {
    let renderer: InsertRenderer
    let places = InsertPlaces(programmes: [2, 1])
    var frame = 0
    /// Output of each channel of each programme, after its loudspeaker's chain: `[channel][frame]`.
    var heard = [[Float]](repeating: [], count: 3)
    private let rows = PlanarBlock(channels: 3, frames: 64)

    init() { renderer = InsertRenderer(places, sampleRate: .studio, slice: 64) }

    var chains: [[InsertRequest]] { [[InsertRequest]](repeating: [], count: places.count) }

    /// The tone, 1 kHz, at a frame.
    static func tone(_ frame: Int) -> Float {
        frame < 0 ? 0 : Float(0.5 * sin(2 * Double.pi * 1000 * Double(frame) / 48_000))
    }

    /// Runs some frames, at most 64 at a time; pieces of `piece` frames.
    func run(frames: Int, piece: Int = 64, offline: Bool = true) {
        var left = frames
        while left > 0 {
            if frame % 64 == 0 { renderer.handle.pointee.beginSlice(atOnce: frame == 0, offline: offline) }
            let count = min(left, piece, 64 - frame % 64)
            for channel in 0..<3 { for i in 0..<count { rows[channel][i] = ChainBench.tone(frame + i) } }
            renderer.handle.pointee.process(place: places.programme(0), rows.pointers, count: count)
            renderer.handle.pointee.process(place: places.programme(1), rows.pointers + 2, count: count)
            for source in 0..<3 {
                renderer.handle.pointee.process(
                    place: places.loudspeaker(source), rows.pointers + source, count: count)
            }
            renderer.handle.pointee.advance(count)
            for channel in 0..<3 { heard[channel] += (0..<count).map { rows[channel][$0] } }
            frame += count
            left -= count
            renderer.advance()
        }
    }

    /// Runs until all requested chains are in force.
    func settle(piece: Int = 64) {
        var slices = 0
        while !renderer.isSettled && slices < 2000 {
            run(frames: 64, piece: piece)
            slices += 1
        }
    }
}
