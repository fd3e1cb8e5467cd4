import Foundation
import Rooms
import Signal
import Soundstage

/// Room responses for measurements: noise that decays by 60 dB over its length; the first 80 ms follow the head in
/// steps of 2°. The cost of a room depends on its lengths alone, not on its samples.
enum CapacityRooms {
    /// Makes a room for the tracked loudspeakers of a layout. Takes some ten milliseconds. The first 80 ms of 7.1.4 at
    /// 48 kHz need 61 MB.
    static func responses(_ room: CapacityCell.Room, for layout: Layout, sampleRate: SampleRate) -> RoomResponses {
        var sources = 0
        let assignment = layout.loudspeakers.map { loudspeaker -> Int? in
            guard loudspeaker.motion == .tracked else { return nil }
            sources += 1
            return sources - 1
        }
        let yaws = 180
        let early = Int(sampleRate.hertz * 0.08) / 16 * 16
        let tail = max(0, Int(sampleRate.hertz * room.seconds) - early)
        let earlyRows = PlanarBlock(channels: max(1, sources) * yaws * 2, frames: early)
        let tailRows = PlanarBlock(channels: (room.isTailShared ? 1 : max(1, sources)) * 2, frames: tail)
        let fall = Float(pow(0.001, 1 / (room.seconds * sampleRate.hertz)))
        fill(earlyRows, level: 1e-3, fall: fall)
        fill(tailRows, level: 1e-3 * powf(fall, Float(early)), fall: fall)
        return RoomResponses(
            sampleRate: sampleRate, yawCount: yaws, early: earlyRows, tail: tailRows, isTailShared: room.isTailShared,
            includesDirect: false, directGain: 0.8, assignment: assignment)
    }

    /// Fills every row with seeded noise that falls from `level` by the factor `fall` with each sample.
    private static func fill(_ rows: borrowing PlanarBlock, level: Float, fall: Float) {
        var state: UInt64 = 2026
        for row in 0..<rows.channelCount {
            var amplitude = level
            for frame in 0..<rows.frameCapacity {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                rows[row][frame] = (Float(state >> 40) / Float(1 << 24) - 0.5) * amplitude
                amplitude *= fall
            }
        }
    }
}
