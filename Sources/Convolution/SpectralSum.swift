import CKernels

/// Sums of products of spectra at odd frequencies for two ears. They are the largest cost of a convolution.
///
/// Inputs are `[chunk of 16 bins][re 16][im 16]`. Binaural filters are `[chunk][left re 16][left im 16][right re
/// 16][right im 16]`. All are 64-byte aligned. The result's bits depend only on the order of the terms and on the
/// instruction set.
package enum SpectralSum {
    /// Sets results[2·state + ear] = Σ_t inputs[t]·filters[state·terms + t]. With `onto` the sum is added to the
    /// results.
    ///
    /// `bins` is a multiple of 16. `states` is 1 or 2: the old and the new filters of one slice are summed together, so
    /// that inputs are read once. Strides count the floats from one chunk to the next. Cost: 8·states·terms
    /// multiply-adds per bin, and 16·states + 8 bytes read per bin and term. If the spectra are in the second-level
    /// cache, reading limits the speed.
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
