import CKernels
import Signal

/// Real Fourier transforms of one length in all lanes at once, with the work area they need.
///
/// Owned by one thread at a time. The factors are computed in double precision at init.
package struct LaneFourier: ~Copyable {
    private let plan: UnsafeMutablePointer<prk_fourier>
    private let work: UnsafeMutablePointer<Float>
    /// Real samples per transform, n.
    package let length: Int

    /// Transforms of `length` samples (a power of two, 32…65536) in at most `lanes` lanes.
    package init(length: Int, lanes: Int) {
        guard let plan = prk_fourier_create(length) else { preconditionFailure("no transform of length \(length)") }
        self.plan = plan
        self.length = length
        let count = prk_fourier_work(length, max(8, lanes))
        work = AlignedMemory.allocate(Float.self, count: count)
        work.initialize(repeating: 0, count: count)
    }

    deinit {
        prk_fourier_destroy(plan)
        work.deallocate()
    }

    /// Samples `[frame][lane]`, given as two halves of length/2 frames (`high` nil: zeros), to their unscaled spectrum
    /// `[bin][re, im][lane]`. Cost: about 0.3·length·log2(length) register operations per lane group.
    @_noLocks
    package func forward(
        lanes: Int, low: UnsafePointer<Float>, high: UnsafePointer<Float>?, spectrum: UnsafeMutablePointer<Float>
    ) {
        prk_fourier_forward(plan, lanes, low, high, spectrum, work)
    }

    /// The spectrum's samples `[frame][lane]` times `length`.
    @_noLocks
    package func inverse(lanes: Int, spectrum: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>) {
        prk_fourier_inverse(plan, lanes, spectrum, output, work)
    }
}
