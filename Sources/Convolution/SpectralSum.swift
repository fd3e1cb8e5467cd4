import CKernels

/// Sums of products of spectra at odd frequencies for two ears: the largest cost of a convolution.
///
/// Inputs are `[chunk of 16 bins][re 16][im 16]`, binaural filters
/// `[chunk][left re 16][left im 16][right re 16][right im 16]`, all 64-byte aligned. The result's bits depend only on
/// the order of the terms and the instruction set.
package enum SpectralSum {
    /// Sets results[2·state + ear] = Σ_t inputs[t]·filters[state·terms + t]; with `onto`, adds the sum to them.
    ///
    /// `bins`: a multiple of 16; `states`: 1 or 2 (old and new filters of one slice, so that inputs are read once).
    /// Strides: floats from one chunk to the next. Cost: 8·states·terms multiply-adds per bin; 16·states + 8 bytes read
    /// per bin and term, which bound the speed where the spectra come from the second-level cache.
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
