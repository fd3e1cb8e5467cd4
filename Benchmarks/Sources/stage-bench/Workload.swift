import Foundation
import Geometry
import HRTF
import Signal

/// One cell of the table: how many sources, the slice, and the filters.
struct Workload {
    /// Input channels, all of them tracked.
    let sources: Int
    /// Frames per slice, which is also the period and the peers' block.
    let slice: Int
    /// The filters' origin in words.
    let fieldName: String
    /// The filters.
    let field: FilterField

    /// Coefficients of every filter.
    var taps: Int { field.tapCount }

    /// Where the sources stand: a spiral over the sphere, no two alike, none at a grid point.
    var directions: [Direction<Stage>] {
        (0..<sources).map { index in
            let height = 0.9 - 1.5 * (Double(index) + 0.5) / Double(sources)
            return Direction<Stage>(
                azimuthDegrees: (Double(index) * 137.508 + 11).truncatingRemainder(dividingBy: 360) - 180,
                elevationDegrees: asin(height) * 180 / .pi)
        }
    }
}

/// The head's motion in every moving cell: an even turn to the left.
enum Turn {
    /// Degrees per second.
    static let speed = 100.0

    /// Head to stage at a time of the stream in seconds.
    static func headToStage(at seconds: Double) -> Rotation<Head, Stage> {
        Rotation(yaw: speed * seconds * .pi / 180)
    }
}

/// Noise for all channels, a whole number of blocks long, so that block i is always the same samples.
final class Programme {
    /// Blocks before the noise repeats: more than any filter is long.
    let blocks: Int
    private let slice: Int
    private let samples: PlanarBlock
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>>

    init(channels: Int, slice: Int) {
        self.slice = slice
        blocks = max(32, 8192 / slice)
        samples = PlanarBlock(channels: channels, frames: blocks * slice)
        rows = .allocate(capacity: max(1, channels))
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for channel in 0..<channels {
            for frame in 0..<(blocks * slice) {
                // xorshift64*; level low enough that no output guard acts.
                state ^= state >> 12
                state ^= state << 25
                state ^= state >> 27
                let bits = Int32(truncatingIfNeeded: (state &* 0x2545_F491_4F6C_DD1D) >> 32)
                samples[channel][frame] = Float(bits) / Float(Int32.max) * 0.02
            }
        }
    }

    deinit { rows.deallocate() }

    /// The channels' starts for one block; valid until the next call.
    func block(_ index: Int) -> UnsafePointer<UnsafePointer<Float>> {
        let start = index % blocks * slice
        for channel in 0..<samples.channelCount { rows[channel] = UnsafePointer(samples[channel] + start) }
        return UnsafePointer(rows)
    }
}
