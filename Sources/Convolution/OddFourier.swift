import CKernels
import Signal

/// Transforms of real rows at odd frequencies, for convolution: n samples to n/2 complex bins without special cases.
///
/// Bin k is the value of the row's spectrum at θ_k = 2π(2k + ½)/n (Vernet, Proc. IEEE 59, 1971, p. 1531). Products of
/// such spectra are negacyclic convolutions: what passes the end comes back at the beginning with its sign changed, so
/// overlap-save works as with cyclic ones; a whole delay d is a factor e^{−iθ_k d}. Spectra are
/// `[chunk of 16 bins][re 16][im 16]`, 64-byte aligned. Owned by one thread at a time.
package struct OddFourier: ~Copyable {
    private let plan: UnsafeMutablePointer<prk_odd>
    private let work: UnsafeMutablePointer<Float>
    /// Real samples per row, n.
    package let length: Int

    /// Transforms of `length` samples: 2^a, 3·2^a or 5·2^a, a multiple of 32 up to 131072.
    package init(length: Int) {
        guard let plan = prk_odd_create(length) else { preconditionFailure("no transform of length \(length)") }
        self.plan = plan
        self.length = length
        let count = prk_odd_work(length)
        work = AlignedMemory.allocate(Float.self, count: count)
        work.initialize(repeating: 0, count: count)
    }

    deinit {
        prk_odd_destroy(plan)
        work.deallocate()
    }

    /// Bins of a spectrum, n/2; it takes n floats.
    package var bins: Int { @_noLocks get { length / 2 } }

    /// The shortest length there is of at least `samples` (1…131072).
    package static func length(atLeast samples: Int) -> Int {
        precondition(samples <= 131_072)
        var power = 32
        while power < samples { power *= 2 }
        // Between two powers of two there are 5/8 and 3/4 of the upper one.
        for length in [power / 8 * 5, power / 4 * 3] where length >= samples && length % 32 == 0 { return length }
        return power
    }

    /// `count` rows of n samples, anywhere, to their spectra, whose chunks are `stride` floats apart. Unscaled.
    /// Cost: about 0.25 ns per row and sample with AVX-512.
    @_noLocks
    package func forward(
        count: Int, rows: UnsafePointer<UnsafePointer<Float>?>, spectra: UnsafePointer<UnsafeMutablePointer<Float>?>,
        stride: Int = 32
    ) {
        prk_odd_forward(plan, count, rows, spectra, stride, work)
    }

    /// `count` spectra to samples from ..< from + frames of their rows, n/2 times as large; the first of these is
    /// written to the beginning of each row.
    @_noLocks
    package func inverse(
        count: Int, spectra: UnsafePointer<UnsafePointer<Float>?>, from: Int, frames: Int,
        rows: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        prk_odd_inverse(plan, count, spectra, 32, from, frames, rows, work)
    }
}
