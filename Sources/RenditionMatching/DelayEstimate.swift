import Glibc
import HRTF
import Soundstage

/// Estimate of the delay of one signal against another, by generalised cross-correlation with phase transform
/// (GCC-PHAT).
///
/// C. H. Knapp and G. C. Carter, "The generalized correlation method for estimation of time delay" (1976).
/// Cross-spectra of segments of about 1.4 s, half overlapping, are averaged over the last four (3.4 s), divided by
/// their magnitudes and transformed back. The highest value within ±0.5 s gives the delay. A parabola through this
/// value and the two beside it refines the delay. A delay is accepted if the highest value is more than twice any other
/// value more than a millisecond away, and if three successive estimates agree to a frame. Steady tones alone are not
/// accepted: their periodic peaks are of similar height.
struct DelayEstimate {
    /// Frames per segment; a power of two.
    let segment: Int
    /// Delay of the second signal against the first, in frames with a fraction; nil before a delay is accepted.
    private(set) var lag: Double?
    /// Ratio of the correlation's highest value to the highest one more than a millisecond away, in the latest
    /// estimate.
    private(set) var clarity = 0.0
    private let reach: Int
    private let nearby: Int
    private let transform: FourierTransform
    private let window: [Double]
    private var spectra: [(real: [Double], imaginary: [Double])] = []
    private var recent: [Double] = []

    /// Number of cross-spectra averaged.
    private static let averaged = 4
    /// Number of successive estimates that must agree.
    private static let agreeing = 3

    /// Makes an estimate for signals with a sample rate in hertz.
    init(sampleRate: Double) {
        transform = FourierTransform(minimumCount: Int(1.2 * sampleRate))
        segment = transform.count
        reach = Int(HandOver.reach * sampleRate)
        nearby = Int(0.001 * sampleRate)
        let count = segment
        window = (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count)) }
    }

    /// Clears the history; an accepted delay stays.
    mutating func forget() {
        spectra = []
        recent = []
    }

    /// Adds the next segment of both signals, which begins half a segment after the last.
    mutating func add(_ first: [Double], _ second: [Double]) {
        // One complex transform for both real signals.
        var (real, imaginary) = (first, second)
        for i in 0..<segment {
            real[i] *= window[i]
            imaginary[i] *= window[i]
        }
        transform.forward(&real, &imaginary)
        var cross = (real: [Double](repeating: 0, count: segment), imaginary: [Double](repeating: 0, count: segment))
        for k in 0..<segment {
            let mirrored = (segment - k) & (segment - 1)
            let (ar, ai) = (real[k] + real[mirrored], imaginary[k] - imaginary[mirrored])
            let (br, bi) = (imaginary[k] + imaginary[mirrored], real[mirrored] - real[k])
            cross.real[k] = ar * br + ai * bi
            cross.imaginary[k] = ar * bi - ai * br
        }
        spectra.append(cross)
        if spectra.count > Self.averaged { spectra.removeFirst() }
        estimate()
    }

    private mutating func estimate() {
        var (real, imaginary) = spectra[0]
        for cross in spectra.dropFirst() {
            for k in 0..<segment {
                real[k] += cross.real[k]
                imaginary[k] += cross.imaginary[k]
            }
        }
        var largest = 0.0
        for k in 0..<segment { largest = max(largest, real[k] * real[k] + imaginary[k] * imaginary[k]) }
        guard largest > 0 else { return recent = [] }
        // Bins 80 dB below the strongest one are noise. This addition to the magnitudes keeps their weight small.
        let floor = 1e-8 * largest.squareRoot()
        for k in 0..<segment {
            let magnitude = (real[k] * real[k] + imaginary[k] * imaginary[k]).squareRoot() + floor
            real[k] /= magnitude
            imaginary[k] /= magnitude
        }
        transform.inverse(&real, &imaginary)
        func value(_ lag: Int) -> Double { real[lag & (segment - 1)] }
        var best = 0
        for lag in -reach...reach where value(lag) > value(best) { best = lag }
        var next = 0.0
        for lag in -reach...reach where abs(lag - best) > nearby { next = max(next, value(lag)) }
        clarity = next > 0 ? value(best) / next : .infinity
        guard clarity > 2 else { return recent = [] }
        let (before, at, after) = (value(best - 1), value(best), value(best + 1))
        let bend = before - 2 * at + after
        let found = Double(best) + (bend < 0 ? 0.5 * (before - after) / bend : 0)
        recent = Array((recent + [found]).suffix(Self.agreeing))
        guard recent.count == Self.agreeing, recent.allSatisfy({ abs($0 - found) <= 1 }) else { return }
        lag = recent.reduce(0, +) / Double(recent.count)
    }
}
