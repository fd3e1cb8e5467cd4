import Glibc

/// Restores the levels in critical bands that the responses had before they were shortened.
///
/// Shortening removes the later ringing and, mostly at the far ear, noise, so bands lose up to a few decibels. If a
/// band is wider than the blur that the shortening causes, a smooth zero-phase gain restores its level, and the
/// response is shortened again. At lower frequencies the length of the response limits the resolution, and a gain would
/// not help.
struct BandRestoration: Sendable {
    /// Frequencies, hertz, above which the gains are applied partly (`from`) and completely (`to`), and the number of
    /// rounds.
    struct Reach: Sendable {
        var from: Double
        var to: Double
        var rounds: Int

        /// For a window, which blurs all frequencies equally.
        static let windowed = Reach(from: 800, to: 1600, rounds: 2)
        /// For responses with a long part of low frequencies (`PartDesign`).
        static let parted = Reach(from: 400, to: 640, rounds: 5)
    }
    /// Largest gain of one round, as a natural logarithm: 12 dB.
    private static let largest = 1.4

    private let transform: FourierTransform
    private let bands: SmoothBands
    /// Share of the gains that is applied in each bin, 0…1.
    private let shares: [Double]
    private let rounds: Int
    private var real: [Double]
    private var imaginary: [Double]
    private var ears: EarSpectra

    /// Prepares for spectra of `count` points. Each thread has its own instance.
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

    /// Shortens two responses in place (left, right; `count` samples) and restores the levels of their bands to
    /// `wanted`. Two transforms per round.
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
