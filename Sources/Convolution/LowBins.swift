import CKernels

/// The low bins of a spectrum, which the low parts of a `FilterForm` hold.
///
/// Bins go round the circle: bin −1 is the spectrum's last one. A part holds them in the order −8·chunks…8·chunks − 1,
/// eight at a time.
package struct LowBins: BitwiseCopyable, Sendable {
    /// Bins of a whole spectrum.
    let bins: Int
    /// Chunks of 16 bins of a part.
    let chunks: Int

    /// The low bins of a form's spectra.
    package init(_ form: FilterForm) { (bins, chunks) = (form.bins, form.lowChunks) }

    /// Copies the low bins of `rows` spectra to `target`; chunks and rows are so many floats apart, rows alike in both.
    @_noLocks
    package func gather(
        _ spectra: UnsafePointer<Float>, stride: Int, to target: UnsafeMutablePointer<Float>, targetStride: Int,
        rows: Int = 1, step: Int = 0
    ) {
        var job = job(stride, targetStride, rows, step)
        prk_gather_low(&job, spectra, target)
    }

    /// Adds a part's bins to those of a spectrum; chunks are so many floats apart.
    @_noLocks
    package func add(
        _ parts: UnsafePointer<Float>, stride: Int, to spectra: UnsafeMutablePointer<Float>, spectrumStride: Int
    ) {
        var job = job(spectrumStride, stride, 1, 0)
        prk_add_low(&job, parts, spectra)
    }

    @_noLocks
    private func job(_ stride: Int, _ lowStride: Int, _ rows: Int, _ step: Int) -> prk_low_bins {
        prk_low_bins(bins: bins, chunks: chunks, rows: rows, stride: stride, low_stride: lowStride, step: step)
    }
}
