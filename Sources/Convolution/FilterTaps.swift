import Signal

/// Taps of a filter that is given as spectra: the main part, and the low parts at their offsets. One thread uses the
/// value.
package struct FilterTaps: ~Copyable {
    /// Number of samples that `read` writes per ear.
    package let count: Int
    private let capacity: Int
    private let chunks: Int
    private let low: LowBins
    private let offsets: UnsafeMutablePointer<Int>
    private let parts: Int
    /// `[ear]`: spectrum of one part.
    private let spectra: WorkRows
    /// `[ear]`: taps of one part.
    private let part: WorkRows
    /// `[ear]`: taps of the complete filter.
    private let whole: WorkRows

    /// Allocates memory for filters of one form. Rows have at least `least` samples.
    package init(_ form: FilterForm, count least: Int = 0) {
        capacity = form.capacity
        chunks = form.bins / 16
        low = LowBins(form)
        parts = form.lowOffsets.count
        count = max(least, form.tapCount, (form.lowOffsets.last ?? 0) + form.capacity)
        offsets = .allocate(capacity: max(1, parts))
        for (part, offset) in form.lowOffsets.enumerated() { (offsets + part).initialize(to: offset) }
        spectra = WorkRows(count: 2, length: form.length)
        part = WorkRows(count: 2, length: form.length)
        whole = WorkRows(count: 2, length: count)
    }

    deinit { offsets.deallocate() }

    /// Returns one ear's taps of the filter that was read last, times half the transform's length.
    package subscript(ear: Int) -> UnsafeMutablePointer<Float> { @_noLocks get { whole[ear] } }

    /// Computes the taps of a filter whose chunks are `stride` floats apart. Cost: two transforms per part.
    @_noLocks
    package func read(_ filter: UnsafePointer<Float>, stride: Int, fourier: borrowing OddFourier) {
        for ear in 0..<2 {
            Samples.clear(whole[ear], count: count)
            for chunk in 0..<chunks {
                Samples.copy(filter + chunk * stride + 32 * ear, to: spectra[ear] + 32 * chunk, count: 32)
            }
        }
        fourier.inverse(count: 2, spectra: spectra.read, from: 0, frames: capacity, rows: whole.write)
        for number in 0..<parts {
            let first = filter + (chunks + number * low.chunks) * stride
            for ear in 0..<2 {
                Samples.clear(spectra[ear], count: 32 * chunks)
                low.add(first + 32 * ear, stride: stride, to: spectra[ear], spectrumStride: 32)
            }
            fourier.inverse(count: 2, spectra: spectra.read, from: 0, frames: capacity, rows: part.write)
            for ear in 0..<2 { Samples.add(part[ear], gain: 1, to: whole[ear] + offsets[number], count: capacity) }
        }
    }
}
