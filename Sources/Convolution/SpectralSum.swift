import CKernels

/// Sums of products of spectra at odd frequencies for two ears: where the time of a convolution goes.
///
/// Inputs are `[chunk of 16 bins][re 16][im 16]`, binaural filters `[chunk][left re 16][left im 16][right re 16][right
/// im 16]`, all 64-byte aligned. Bits depend on the order of the terms and the instruction set only.
package enum SpectralSum {
    /// results[2·state + ear] = Σ_t inputs[t]·filters[state·terms + t], added to what they hold if `onto`.
    ///
    /// `bins`: a multiple of 16; `states`: 1 or 2 (old and new filters of one slice, so that inputs are read once).
    /// Strides: floats from one chunk to the next. Cost: 8·states·terms multiply-adds per bin; 16·states + 8 bytes read
    /// per bin and term, which bound it where they come from the second-level cache.
    @_noLocks
    package static func accumulate(
        bins: Int, terms: Int, inputs: UnsafePointer<UnsafePointer<Float>?>, inputStride: Int = 32,
        filters: UnsafePointer<UnsafePointer<Float>?>, filterStride: Int = 64, states: Int,
        results: UnsafePointer<UnsafeMutablePointer<Float>?>, onto: Bool
    ) {
        var job = prk_products(
            bins: bins, terms: terms, states: states, inputs: inputs, filters: filters, input_stride: inputStride,
            filter_stride: filterStride, results: results, onto: onto ? 1 : 0)
        prk_sum_products(&job)
    }
}
