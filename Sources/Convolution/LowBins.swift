import CKernels

/// Low bins of a spectrum. The low parts of a `FilterForm` have only these bins.
///
/// Bins are circular: bin −1 is the spectrum's last bin. A part has them in the order −8·chunks…8·chunks − 1, in groups
/// of eight.
package struct LowBins: BitwiseCopyable, Sendable {
    /// Number of bins of a complete spectrum.
    let bins: Int
    /// Number of chunks of 16 bins in a part.
    let chunks: Int

    /// Makes the low bins of a form's spectra.
    package init(_ form: FilterForm) { (bins, chunks) = (form.bins, form.lowChunks) }

    /// Copies the low bins of `rows` spectra to `target`. `stride` and `targetStride` count the floats from chunk to
    /// chunk, `step` the floats from row to row in both.
    @_noLocks
    package func gather(
        _ spectra: UnsafePointer<Float>, stride: Int, to target: UnsafeMutablePointer<Float>, targetStride: Int,
        rows: Int = 1, step: Int = 0
    ) {
        var job = job(stride, targetStride, rows, step)
        prk_gather_low(&job, spectra, target)
    }

    /// Adds a part's bins to those of a spectrum. Both strides count the floats from chunk to chunk.
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
