import Glibc

/// Restores the levels in critical bands that shortened responses had at full length.
///
/// What is shortened loses what rings on, and the noise of the far ear: bands lose up to some decibels. Where bands are
/// wider than the shortening can blur, a smooth gain without phase takes that back, and the response is shortened
/// again; below, the response's length is the limit, and no gain would help.
struct BandRestoration: Sendable {
    /// Where the gains set in and where they act in full, hertz, and how often.
    struct Reach: Sendable {
        var from: Double
        var to: Double
        var rounds: Int

        /// For a window, which blurs all frequencies alike.
        static let windowed = Reach(from: 800, to: 1600, rounds: 2)
        /// For responses whose low frequencies stay long (`PartDesign`).
        static let parted = Reach(from: 400, to: 640, rounds: 5)
    }
    /// Largest gain of one round, as a natural logarithm: 12 dB.
    private static let largest = 1.4

    private let transform: FourierTransform
    private let bands: SmoothBands
    /// `[bin]`: how far gains act.
    private let shares: [Double]
    private let rounds: Int
    private var real: [Double]
    private var imaginary: [Double]
    private var ears: EarSpectra

    /// For spectra of `count` points. One per thread.
    init(count: Int, sampleRate: Double, reach: Reach) {
        rounds = reach.rounds
        transform = FourierTransform(minimumCount: count)
        let binHz = sampleRate / Double(count)
        let bins = count / 2 + 1
        bands = SmoothBands(from: 60, to: 0.45 * sampleRate, binHz: binHz, binCount: bins)
        shares = (0..<bins).map { bin in
            max(0, min(1, log2(max(1, Double(bin) * binHz) / reach.from) / log2(reach.to / reach.from)))
        }
        real = [Double](repeating: 0, count: count)
        imaginary = real
        ears = EarSpectra(binCount: bins)
    }

    /// Returns the levels of the bands of both ears.
    func levels(_ spectra: borrowing EarSpectra) -> [[Double]] {
        [bands.levels(spectra, 0), bands.levels(spectra, 1)]
    }

    /// Shortens two responses in place (left, right; `count` samples) so that they come near to the levels wanted.
    /// Two transforms a round.
    mutating func apply(
        _ left: inout [Double], _ right: inout [Double], wanted: [[Double]], shorten: (inout [Double]) -> Void
    ) {
        let n = transform.count
        shorten(&left)
        shorten(&right)
        for _ in 0..<rounds {
            for i in 0..<n {
                real[i] = left[i]
                imaginary[i] = right[i]
            }
            transform.forward(&real, &imaginary)
            ears.separate(real, imaginary)
            let present = levels(ears)
            for ear in 0..<2 {
                let gains = zip(wanted[ear], present[ear]).map {
                    max(-BandRestoration.largest, min(BandRestoration.largest, ($0 - $1) / 2))
                }
                for bin in shares.indices where shares[bin] > 0 {
                    let gain = exp(shares[bin] * bands.value(gains, at: bin))
                    ears.real[ear][bin] *= gain
                    ears.imaginary[ear][bin] *= gain
                }
            }
            ears.combine(&real, &imaginary)
            transform.inverse(&real, &imaginary)
            (left, right) = (real, imaginary)
            shorten(&left)
            shorten(&right)
        }
    }
}
