import CPeers
import HRTF
import Signal

/// Interpolated filters of libmysofa.
final class MysofaContender: Contender {
    let name = "libmysofa, getfilter_float"
    let remark: String
    private let set: OpaquePointer
    private let ears: PlanarBlock
    private let directions = Directions()

    init(rate: Double) throws {
        var taps: Int32 = 0
        var error: Int32 = 0
        guard let set = peer_mysofa_open(HRTFLibrary.systemDefault, Float(rate), &taps, &error) else {
            throw Refusal("libmysofa cannot open \(HRTFLibrary.systemDefault) (error \(error)): make setup installs it")
        }
        self.set = set
        remark = "\(taps) taps, delays apart"
        ears = PlanarBlock(channels: 2, frames: Int(taps))
    }

    deinit { peer_mysofa_close(set) }

    func step(_ index: Int, into output: Output) {
        for source in 0..<Directions.count {
            let seen = directions.seen(source, step: index)
            peer_mysofa_filter(set, Float(seen.x), Float(seen.y), Float(seen.z), ears[0], ears[1])
        }
    }
}
