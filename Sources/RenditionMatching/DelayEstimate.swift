import Glibc
import HRTF
import Soundstage

/// How much later one signal is than another, by generalised cross-correlation with phase transform (GCC-PHAT).
///
/// C. H. Knapp and G. C. Carter, "The generalized correlation method for estimation of time delay" (1976).
/// Cross-spectra of segments of about 1.4 s, half overlapping, are averaged over the last four (3.4 s), divided by
/// their magnitudes and transformed back; the highest value within ± half a second is the delay, refined by a parabola
/// through it and its neighbours. A delay counts once the highest value is more than twice any other (a millisecond
/// off) and three estimates in turn agree to a frame. A few steady tones alone give no such value: they come again too
/// often.
struct DelayEstimate {
    /// Frames per segment: a power of two.
    let segment: Int
    /// Frames by which the second signal is later, with its fraction; nil before anything counts.
    private(set) var lag: Double?
    /// Highest value over the next highest of the newest estimate.
    private(set) var clarity = 0.0
    private let reach: Int
    private let nearby: Int
    private let transform: FourierTransform
    private let window: [Double]
    private var spectra: [(real: [Double], imaginary: [Double])] = []
    private var recent: [Double] = []

    /// Cross-spectra averaged.
    private static let averaged = 4
    /// Estimates in turn that must agree.
    private static let agreeing = 3

    /// For signals at a rate in hertz.
    init(sampleRate: Double) {
        transform = FourierTransform(minimumCount: Int(1.2 * sampleRate))
        segment = transform.count
        reach = Int(HandOver.reach * sampleRate)
        nearby = Int(0.001 * sampleRate)
        let count = segment
        window = (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count)) }
    }

    /// Forgets what was heard; a delay that counted stays.
    mutating func forget() {
        spectra = []
        recent = []
    }

    /// Takes the next segment of both signals, which begins half a segment after the last.
    mutating func add(_ first: [Double], _ second: [Double]) {
        // Both real signals go through one complex transform.
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
        // What lies 80 dB below the strongest line is noise and must not count as much as sound.
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
