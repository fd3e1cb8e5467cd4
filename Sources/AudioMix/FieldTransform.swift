import CRealtime
import Convolution
import Signal

/// Windowed Fourier transforms of the four first-order channels, and inverse transforms of pairs of rows. Bins are in
/// order of frequency.
///
/// Here bin m lies at (m + ½)·rate/N, with N samples per frame. `OddFourier` has bins at (2k + ½)·rate/N. Those below
/// half the rate are the bins of even m; the mirror images of those above are the bins of odd m. The channels of degree
/// one are scaled by √3 (N3D). A diffuse field therefore has equal power in all four channels and no correlation
/// between them. Cost: 4 transforms of length N, and 2 ns per bin.
struct FieldTransform: ~Copyable {
    /// Samples per frame.
    let length: Int
    /// Number of bins kept, from the lowest.
    let bins: Int
    private let fourier: OddFourier
    private let window: Row<Float>
    private let rows: PlanarBlock, spectra: PlanarBlock

    /// Creates transforms for frames of the same length as the window.
    init(window: [Float], bins: Int) {
        length = window.count
        self.bins = bins
        fourier = OddFourier(length: length)
        self.window = Row(length, 0)
        for i in 0..<length { self.window.base[i] = window[i] }
        rows = PlanarBlock(channels: 4, frames: length)
        spectra = PlanarBlock(channels: 4, frames: length)
    }

    /// Transforms the newest `length` samples of W, Y, Z and X, and writes `bins` values to `target`.
    @_noLocks
    func forward(_ samples: UnsafePointer<UnsafePointer<Float>?>, into target: UnsafeMutablePointer<Quad>) {
        for channel in 0..<4 {
            guard let row = samples[channel] else { return }
            let gain: Float = channel == 0 ? 1 : 1.732_050_8
            let shaped = rows[channel]
            for i in 0..<length { shaped[i] = row[i] * window.base[i] * gain }
        }
        fourier.forward(count: 4, rows: Self.inputs(rows), spectra: UnsafePointer(Self.outputs(spectra)))
        for bin in 0..<bins {
            let (at, sign) = place(bin)
            target[bin] = Quad(
                re: SIMD4(spectra[0][at], spectra[1][at], spectra[2][at], spectra[3][at]),
                im: sign
                    * SIMD4(spectra[0][at + 16], spectra[1][at + 16], spectra[2][at + 16], spectra[3][at + 16]))
        }
    }

    /// Transforms two rows of bins back to samples and writes the newest `frames` samples of each frame. The samples
    /// are not scaled: they are N/2 times too large.
    @_noLocks
    func inverse(
        _ first: UnsafePointer<Complex>, _ second: UnsafePointer<Complex>, newest frames: Int,
        into targets: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        place(first, in: spectra[0])
        place(second, in: spectra[1])
        fourier.inverse(
            count: 2, spectra: Self.inputs(spectra), from: length - frames, frames: frames,
            rows: UnsafeRawPointer(targets).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self))
    }

    /// Writes a row of bins into a spectrum in the layout of `OddFourier`.
    @_noLocks
    private func place(_ source: UnsafePointer<Complex>, in spectrum: UnsafeMutablePointer<Float>) {
        Samples.clear(spectrum, count: length)
        for bin in 0..<bins {
            let (at, sign) = place(bin)
            spectrum[at] = source[bin].re
            spectrum[at + 16] = sign * source[bin].im
        }
    }

    /// Returns the index of the real part of bin m in an `OddFourier` spectrum, and the sign of the imaginary part.
    @_noLocks
    @inline(__always)
    private func place(_ bin: Int) -> (Int, Float) {
        let isMirrored = bin & 1 == 1
        let k = isMirrored ? (length - bin - 1) / 2 : bin / 2
        return (k / 16 * 32 + k % 16, isMirrored ? -1 : 1)
    }

    @_noLocks
    private static func inputs(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafePointer<Float>?.self)
    }

    @_noLocks
    private static func outputs(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafeMutablePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
    }

    /// Returns the windows of analysis and synthesis. Their overlapping products add up to one. The synthesis window
    /// covers the newest `heard` samples of a frame and includes the scale of the transform.
    ///
    /// If the whole frame is output, both windows are the square root of a Hann window. If only the end is output, the
    /// analysis window rises slowly up to the last hop and falls within it. The synthesis window then complements the
    /// analysis window, so that the product of both is a Hann window (Mauler & Martin, "A low delay, variable
    /// resolution, perfect reconstruction spectral analysis-synthesis system", EUSIPCO 2007).
    static func windows(frame: Int, hop: Int, heard: Int) -> (analysis: [Float], synthesis: [Float]) {
        func root(_ i: Int, _ length: Int) -> Double { prc_sin(.pi * (Double(i) + 0.5) / Double(length)) }
        let scale = 2 / Double(frame)
        if heard == frame {
            let analysis = (0..<frame).map { root($0, frame) }
            let gain = scale * Double(hop) / (Double(frame) / 2)
            return (analysis.map { Float($0) }, analysis.map { Float($0 * gain) })
        }
        let rise = frame - hop
        let analysis = (0..<frame).map { $0 < rise ? root($0, 2 * rise) : root($0 - rise + hop, 2 * hop) }
        let synthesis = (0..<heard).map { i in
            let hann = root(i, 2 * hop) * root(i, 2 * hop)
            return Float(scale * hann / analysis[frame - heard + i])
        }
        return (analysis.map { Float($0) }, synthesis)
    }
}
