import CPeers
import Signal

/// Sixteen of FFTW's real transforms, one after the other: FFTW's batched transforms are slower.
final class TransformContender: Contender {
    let name = "FFTW, r2c"
    let remark = "patient plan"
    private let transform: OpaquePointer
    private let work: TransformWork
    private let pairs: PlanarBlock

    init(_ work: TransformWork) throws {
        guard let transform = peer_transform_create(work.size) else { throw Refusal("FFTW found no memory") }
        self.transform = transform
        self.work = work
        pairs = PlanarBlock(channels: TransformWork.count, frames: work.size + 2)
    }

    deinit { peer_transform_destroy(transform) }

    func step(_ index: Int, into output: Output) {
        for row in 0..<TransformWork.count { peer_transform_forward(transform, work.samples[row], pairs[row]) }
    }

    func present(in output: Output) {
        for row in 0..<TransformWork.count {
            output[row].update(from: pairs[row], count: work.size)
        }
    }
}
