import Signal

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

    /// Copies the low bins of a spectrum to `target`; `[chunk][re 16][im 16]`, chunks so many floats apart.
    @_noLocks
    package func gather(
        _ spectrum: UnsafePointer<Float>, stride: Int, to target: UnsafeMutablePointer<Float>, targetStride: Int
    ) {
        for half in 0..<(2 * chunks) {
            let from = spectrum + place(half, stride: stride)
            let to = target + half / 2 * targetStride + half % 2 * 8
            for i in 0..<8 { (to[i], to[16 + i]) = (from[i], from[16 + i]) }
        }
    }

    /// Adds a part's bins to those of a spectrum, both with chunks as far apart as given.
    @_noLocks
    package func add(
        _ part: UnsafePointer<Float>, stride: Int, to spectrum: UnsafeMutablePointer<Float>, spectrumStride: Int
    ) {
        for half in 0..<(2 * chunks) {
            let to = spectrum + place(half, stride: spectrumStride)
            let from = part + half / 2 * stride + half % 2 * 8
            for i in 0..<8 {
                to[i] += from[i]
                to[16 + i] += from[16 + i]
            }
        }
    }

    /// Where the eight bins of a half chunk stand in a spectrum, floats.
    @_noLocks
    private func place(_ half: Int, stride: Int) -> Int {
        let signed = 8 * (half - chunks)
        let bin = signed < 0 ? bins + signed : signed
        return bin / 16 * stride + bin % 16
    }
}
