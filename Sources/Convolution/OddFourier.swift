import CKernels
import Signal

/// Transforms of real rows at odd frequencies, for convolution. They transform n samples to n/2 complex bins, none of
/// which is a special case.
///
/// Bin k is the row's spectrum at θ_k = 2π(2k + ½)/n (Vernet, Proc. IEEE 59, 1971, p. 1531). The product of two such
/// spectra is a negacyclic convolution: samples past the end wrap to the beginning with inverted sign. Overlap-save
/// works as with cyclic convolution. A delay of d whole samples is a factor e^{−iθ_k d}. Spectra are `[chunk of 16
/// bins][re 16][im 16]`, 64-byte aligned. One thread at a time may use the value.
package struct OddFourier: ~Copyable {
    private let plan: UnsafeMutablePointer<prk_odd>
    private let work: UnsafeMutablePointer<Float>
    /// Real samples per row, n.
    package let length: Int

    /// Prepares transforms of `length` samples. The length must be 2^a, 3·2^a or 5·2^a, a multiple of 32, and at most
    /// 131072.
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

    /// Number of bins of a spectrum, n/2. A spectrum takes n floats of memory.
    package var bins: Int { @_noLocks get { length / 2 } }

    /// Returns the shortest available length of at least `samples` (1…131072).
    package static func length(atLeast samples: Int) -> Int {
        precondition(samples <= 131_072)
        var power = 32
        while power < samples { power *= 2 }
        // Lengths between two powers of two: 5/8 and 3/4 of the upper one.
        for length in [power / 8 * 5, power / 4 * 3] where length >= samples && length % 32 == 0 { return length }
        return power
    }

    /// Transforms `count` rows of n samples, of any alignment. The chunks of the resulting spectra are `stride` floats
    /// apart. The result is not scaled. Cost: about 0.25 ns per row and sample with AVX-512.
    @_noLocks
    package func forward(
        count: Int, rows: UnsafePointer<UnsafePointer<Float>?>, spectra: UnsafePointer<UnsafeMutablePointer<Float>?>,
        stride: Int = 32
    ) {
        prk_odd_forward(plan, count, rows, spectra, stride, work)
    }

    /// Transforms `count` spectra back, scaled by n/2. Of each row only the samples `from`..<`from + frames` are
    /// written. Sample `from` is written to the beginning of the row in memory.
    @_noLocks
    package func inverse(
        count: Int, spectra: UnsafePointer<UnsafePointer<Float>?>, from: Int, frames: Int,
        rows: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        prk_odd_inverse(plan, count, spectra, 32, from, frames, rows, work)
    }
}
