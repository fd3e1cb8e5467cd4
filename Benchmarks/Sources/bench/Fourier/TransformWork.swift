import Glibc
import Signal

/// Sixteen rows of noise to be transformed.
final class TransformWork {
    static let count = 16
    let size: Int
    let samples: PlanarBlock

    init(size: Int) {
        self.size = size
        samples = PlanarBlock(channels: TransformWork.count, frames: size)
        var noise = Noise(seed: 0x0F0F_1234_5678_9ABC)
        for row in 0..<TransformWork.count {
            for frame in 0..<size { samples[row][frame] = noise.next() }
        }
    }
}
