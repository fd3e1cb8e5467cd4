import Glibc
import HRTF

/// Interpolates a response between two measured ones, in short pieces. The two pieces are time-aligned before they are
/// blended, so that a reflection that arrives at different times moves instead of being cancelled.
///
/// Pieces of about 5 ms overlap by half under Hann windows. The lag of a piece is at the largest correlation of the two
/// responses (to a fraction of a sample, by a parabola), within the path difference that a head turn can cause. The
/// energy of the sum is corrected per octave to the interpolated energy, because late sound of neighbouring yaws is
/// only partly correlated. Interpolated responses are more exact if they are time-aligned before blending (Arend,
/// Pörschmann, Weinzierl & Brinkmann, IEEE/ACM TASLP 31 (2023)). It is done per piece after Garcia-Gomez & Lopez,
/// "Binaural room impulse responses interpolation for multimedia real-time applications" (AES 144 (2018)), who warp
/// time instead of shifting.
struct ViewBlend: Sendable {
    private let transform: FourierTransform
    private let piece: Int
    private let window: [Double]
    /// Largest change of the travel time to an ear per radian of head yaw, seconds, with reserve: 0.1 m at 343 m/s.
    private static let slope = 0.1 / 343
    private let sampleRate: Double

    /// Prepares blends at a sample rate in hertz.
    init(sampleRate: Double) {
        var piece = 128
        while Double(piece) < 0.004 * sampleRate { piece *= 2 }
        self.piece = piece
        self.sampleRate = sampleRate
        transform = FourierTransform(minimumCount: 2 * piece)
        window = (0..<piece).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(piece)) }
    }

    /// Returns the response at `share` (0…1) of the way from `a` to `b`, which are equally long and were measured `gap`
    /// radians apart.
    func between(_ a: [Float], _ b: [Float], share: Double, gap: Double) -> [Float] {
        if share <= 0 { return a }
        if share >= 1 { return b }
        let reach = min(piece / 4, Int((ViewBlend.slope * gap * sampleRate).rounded(.up)) + 1)
        var sum = [Double](repeating: 0, count: a.count + 2 * piece)
        let hop = piece / 2
        for start in stride(from: -hop, to: a.count, by: hop) {
            let blend = self.piece(a, b, from: start, share: share, reach: reach)
            // A shift may extend beyond the piece on either side, and the transform is circular.
            for i in 0..<transform.count {
                let place = start + (i < transform.count - hop ? i : i - transform.count) + piece
                if place >= 0 && place < sum.count { sum[place] += blend[i] }
            }
        }
        return (0..<a.count).map { Float(sum[$0 + piece]) }
    }

    private func piece(_ a: [Float], _ b: [Float], from start: Int, share: Double, reach: Int) -> [Double] {
        let n = transform.count
        var real = [Double](repeating: 0, count: n)
        var imaginary = real
        var isSilent = true
        for i in 0..<piece where start + i >= 0 && start + i < a.count {
            real[i] = Double(a[start + i]) * window[i]
            imaginary[i] = Double(b[start + i]) * window[i]
            if real[i] != 0 || imaginary[i] != 0 { isSilent = false }
        }
        if isSilent { return real }
        let spectra = PairSpectra(real, imaginary, transform)
        let lag = spectra.lag(about: 0, within: Double(reach))
        // Power per octave of bins: the interpolated one, and that of the sum.
        let octaves = (n / 2).bitWidth - (n / 2).leadingZeroBitCount
        var powers = [SIMD2<Double>](repeating: .zero, count: octaves)
        for k in 0..<n {
            let (p, q) = spectra.delayed(k, (share * lag, -(1 - share) * lag))
            real[k] = (1 - share) * p.x + share * q.x
            imaginary[k] = (1 - share) * p.y + share * q.y
            let wanted = (1 - share) * (p * p).sum() + share * (q * q).sum()
            let octave = PairSpectra.octave(min(k, n - k))
            powers[octave] += SIMD2(wanted, real[k] * real[k] + imaginary[k] * imaginary[k])
        }
        let gains = powers.map { $0.y > 0 ? min(1.6, max(0.7, ($0.x / $0.y).squareRoot())) : 1 }
        for k in 0..<n {
            // Gains are interpolated between the middles of the octaves.
            let place = log2(Double(max(1, min(k, n - k)))) - 0.5
            let lower = max(0, min(octaves - 1, Int(place.rounded(.down))))
            let upper = min(octaves - 1, lower + 1)
            let gain = gains[lower] + max(0, min(1, place - Double(lower))) * (gains[upper] - gains[lower])
            real[k] *= gain
            imaginary[k] *= gain
        }
        transform.inverse(&real, &imaginary)
        return real
    }
}
