import Glibc

/// Restores the levels in critical bands that shortened responses had at full length.
///
/// A window cuts ringing and noise: bands lose up to some decibels. Where bands are wider than the window's spectral
/// blur (from 800 Hz on, in full from 1600 Hz), a smooth gain without phase restores the level, then the window is
/// applied again, in two rounds. Below, the response's length limits the level, and a gain would not help.
struct BandRestoration: Sendable {
    /// Frequencies between which the gains fade in, hertz.
    static let range = (from: 800.0, to: 1600.0)
    /// Number of rounds of gain and window.
    static let rounds = 2
    /// Largest gain of one round, up or down, dB.
    static let largest = 6.0

    private let transform: FourierTransform
    private let bands: CriticalBands
    /// Per bin: the band below, and the bin's position between its centre and the next one's, 0…1, in ERB numbers.
    private let places: [(band: Int, part: Double)]
    private let shares: [Double]
    private var real: [Double]
    private var imaginary: [Double]
    private var ears: EarSpectra

    /// Prepares for spectra of `count` points. One per thread.
    init(count: Int, sampleRate: Double) {
        transform = FourierTransform(minimumCount: count)
        let binHz = sampleRate / Double(count)
        let bins = count / 2 + 1
        bands = CriticalBands(from: 400, to: 0.45 * sampleRate, binHz: binHz, binCount: bins)
        let centres = bands.centres
        places = (0..<bins).map { bin in
            let upper = centres.firstIndex { $0 > Double(bin) } ?? centres.count
            guard upper > 0 else { return (0, 0) }
            guard upper < centres.count else { return (centres.count - 2, 1) }
            let number = { log10(1 + 0.00437 * binHz * $0) }
            let (low, high) = (number(centres[upper - 1]), number(centres[upper]))
            return (upper - 1, (number(Double(bin)) - low) / (high - low))
        }
        shares = (0..<bins).map { bin in
            max(
                0,
                min(
                    1,
                    log2(max(1, Double(bin) * binHz) / BandRestoration.range.from)
                        / log2(BandRestoration.range.to / BandRestoration.range.from)))
        }
        real = [Double](repeating: 0, count: count)
        imaginary = real
        ears = EarSpectra(binCount: bins)
    }

    /// Returns the levels of the bands of both ears.
    func levels(_ spectra: borrowing EarSpectra) -> [[Double]] {
        [bands.decibels(spectra, 0), bands.decibels(spectra, 1)]
    }

    /// Windows two responses in place (left, right; `count` samples, zero after the window's end) and brings the levels
    /// of their bands near to `wanted`. Four transforms.
    mutating func apply(_ left: inout [Double], _ right: inout [Double], window: [Double], wanted: [[Double]]) {
        let n = transform.count
        for i in 0..<n {
            let weight = i < window.count ? window[i] : 0
            left[i] *= weight
            right[i] *= weight
        }
        for _ in 0..<BandRestoration.rounds {
            for i in 0..<n {
                real[i] = left[i]
                imaginary[i] = right[i]
            }
            transform.forward(&real, &imaginary)
            ears.separate(real, imaginary)
            let present = levels(ears)
            for ear in 0..<2 {
                let gains = zip(wanted[ear], present[ear]).map {
                    max(-BandRestoration.largest, min(BandRestoration.largest, $0 - $1)) * log(10) / 20
                }
                for bin in shares.indices where shares[bin] > 0 {
                    let (band, part) = places[bin]
                    let gain = exp(shares[bin] * (gains[band] + part * (gains[band + 1] - gains[band])))
                    ears.real[ear][bin] *= gain
                    ears.imaginary[ear][bin] *= gain
                }
            }
            ears.combine(&real, &imaginary)
            transform.inverse(&real, &imaginary)
            for i in 0..<n {
                let weight = i < window.count ? window[i] : 0
                left[i] = real[i] * weight
                right[i] = imaginary[i] * weight
            }
        }
    }
}
