import Convolution
import Signal

/// The product's transforms.
enum FourierContenders {
    static func ours(_ work: TransformWork) -> [Entry] {
        [Entry(.ours, truth: TransformTruth(work, step: 2, offset: 0.5)) { OddFourierContender(work) }]
    }
}

/// Transforms sixteen rows to spectra at odd frequencies, in one call.
final class OddFourierContender: Contender {
    let name = "Proscenium, odd frequencies"
    let role = Role.ours
    private let fourier: OddFourier
    private let work: TransformWork
    private let spectra: PlanarBlock
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    init(_ work: TransformWork) {
        self.work = work
        fourier = OddFourier(length: work.size)
        spectra = PlanarBlock(channels: TransformWork.count, frames: work.size)
        rows = .allocate(capacity: TransformWork.count)
        targets = .allocate(capacity: TransformWork.count)
        for row in 0..<TransformWork.count {
            (rows + row).initialize(to: UnsafePointer(work.samples[row]))
            (targets + row).initialize(to: spectra[row])
        }
    }

    deinit {
        rows.deallocate()
        targets.deallocate()
    }

    func step(_ index: Int, into output: Output) {
        fourier.forward(count: TransformWork.count, rows: rows, spectra: targets)
    }

    func present(in output: Output) {
        for row in 0..<TransformWork.count {
            for bin in 0..<(work.size / 2) {
                let place = spectra[row] + bin / 16 * 32 + bin % 16
                output[row][2 * bin] = place[0]
                output[row][2 * bin + 1] = place[16]
            }
        }
    }
}
