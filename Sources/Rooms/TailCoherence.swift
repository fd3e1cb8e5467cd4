import Glibc
import HRTF

/// Corrects the interaural coherence of one tail, octave by octave, to that of a diffuse field at the head.
///
/// Two independent noises are correlated by chance over the short duration of a tail: the measured coherence of one
/// tail is 0.1 to 0.2 above the expected one (below 1 kHz, bandwidth times duration is a few dozen). The correlation at
/// lags within ±1 ms, the range of the measurement (ISO 3382-1, annex B), is therefore corrected to the expected one.
/// In each octave from 125 Hz to 2 kHz the left ear's signal, filtered with taps at these lags, is subtracted from the
/// right ear's. The taps are the solution of a linear system for each octave. There are four rounds, because octaves
/// overlap.
struct TailCoherence {
    private let head: HeadDiffuseField
    private let sampleRate: Double
    /// Number of lags for each octave from 125 Hz to 2 kHz: the lags are at most half a period of the octave's centre
    /// apart.
    private static let lagCounts = [3, 5, 7, 11, 17]
    /// Largest lag to either side, seconds.
    private static let reach = 0.001

    init(_ head: HeadDiffuseField, sampleRate: Double) {
        self.head = head
        self.sampleRate = sampleRate
    }

    /// Corrects the right ear for the coherence of the samples from `first` on. Takes three transforms, and for each
    /// octave loops over bins and lags: for two seconds at 48 kHz from 12 000 steps (125 Hz) to 1.1 million steps (2
    /// kHz).
    func balance(left: [Float], right: inout [Float], from first: Int) {
        let transform = FourierTransform(minimumCount: left.count + Int(0.05 * sampleRate))
        let n = transform.count
        let late = spectra(transform, left, right, from: first)
        var filter = [SIMD2<Double>](repeating: .zero, count: n / 2 + 1)
        var now = late
        for _ in 0..<4 {
            for (octave, lags) in TailCoherence.lagCounts.enumerated()
            where 2 * OctaveBands.centres[octave] < sampleRate / 2 {
                correct(octave, lags, &now, &filter, n)
            }
        }
        let whole = spectra(transform, left, right, from: 0)
        var real = [Double](repeating: 0, count: n)
        var imaginary = real
        for k in 0...(n / 2) {
            let (l, r) = (whole[k].lowHalf, whole[k].highHalf)
            let value = r - product(l, filter[k])
            real[k] = value.x
            imaginary[k] = value.y
            if k > 0 && k < n / 2 { (real[n - k], imaginary[n - k]) = (value.x, -value.y) }
        }
        transform.inverse(&real, &imaginary)
        for i in right.indices { right[i] = Float(real[i]) }
    }

    /// Subtracts the excess correlation of one octave from the right ear, and adds the spectrum of the taps to
    /// `filter`.
    private func correct(
        _ octave: Int, _ count: Int, _ ears: inout [SIMD4<Double>], _ filter: inout [SIMD2<Double>], _ n: Int
    ) {
        let binHz = sampleRate / Double(n)
        let centre = OctaveBands.centres[octave]
        let bins = max(1, Int(centre / 2 / binHz))...min(n / 2 - 1, Int(2 * centre / binHz))
        let step = 2 * TailCoherence.reach / Double(count - 1)
        // Correlations of the ears at the lags; autocorrelation of the left ear at differences of lags; powers.
        var heard = [Double](repeating: 0, count: count)
        var expected = heard
        var own = heard
        var powers = (heard: SIMD2<Double>.zero, expected: SIMD2<Double>.zero)
        for k in bins {
            let frequency = Double(k) * binHz
            let weight = OctaveBands.octaveWeight(octave, at: frequency)
            let (l, r) = (ears[k].lowHalf, ears[k].highHalf)
            let energy = weight * weight
            let cross = SIMD2(l.x * r.x + l.y * r.y, l.x * r.y - l.y * r.x) * energy
            let field = head.at(frequency)
            let powerOfLeft = (l * l).sum() * energy
            powers.heard += SIMD2(powerOfLeft, (r * r).sum() * energy)
            powers.expected += SIMD2(field.left * field.left, field.right * field.right) * energy
            let shared = energy * field.coherence * field.left * field.right
            // Turns e^{iωτ} from lag to lag by multiplication.
            let (first, next) = (
                -2 * Double.pi * frequency * TailCoherence.reach, 2 * Double.pi * frequency * step
            )
            var turn = SIMD2(cos(first), sin(first))
            var difference = SIMD2(1.0, 0.0)
            let by = SIMD2(cos(next), sin(next))
            for lag in 0..<count {
                heard[lag] += cross.x * turn.x - cross.y * turn.y
                expected[lag] += shared * turn.x
                own[lag] += powerOfLeft * weight * difference.x
                turn = product(turn, by)
                difference = product(difference, by)
            }
        }
        guard powers.heard.x > 0, powers.expected.x > 0, powers.expected.y > 0 else { return }
        let scale =
            (powers.heard.x * powers.heard.y).squareRoot() / (powers.expected.x * powers.expected.y).squareRoot()
        let surplus = (0..<count).map { heard[$0] - scale * expected[$0] }
        let shares = TailCoherence.solve(own, surplus)
        for k in bins {
            let frequency = Double(k) * binHz
            let weight = OctaveBands.octaveWeight(octave, at: frequency)
            var sum = SIMD2<Double>.zero
            for lag in 0..<count {
                let angle = -2 * Double.pi * frequency * (Double(lag) * step - TailCoherence.reach)
                sum += SIMD2(cos(angle), sin(angle)) * (shares[lag] * weight)
            }
            filter[k] += sum
            let change = product(ears[k].lowHalf, sum)
            ears[k].z -= change.x
            ears[k].w -= change.y
        }
    }

    /// Solves Σ_j own[|i − j|]·x[j] = wanted[i], with the diagonal raised by 0.2 %, because the equations of
    /// neighbouring lags are nearly dependent.
    private static func solve(_ own: [Double], _ wanted: [Double]) -> [Double] {
        let n = wanted.count
        var rows = [[Double]](repeating: [Double](repeating: 0, count: n + 1), count: n)
        for i in 0..<n {
            for j in 0..<n { rows[i][j] = own[abs(i - j)] }
            rows[i][i] *= 1.002
            rows[i][n] = wanted[i]
        }
        for column in 0..<n {
            for row in (column + 1)..<max(n, column + 1) {
                let factor = rows[row][column] / rows[column][column]
                for i in column...n { rows[row][i] -= factor * rows[column][i] }
            }
        }
        var result = [Double](repeating: 0, count: n)
        for row in (0..<n).reversed() {
            let rest = ((row + 1)..<max(n, row + 1)).reduce(rows[row][n]) { $0 - rows[row][$1] * result[$1] }
            result[row] = rest / rows[row][row]
        }
        return result
    }

    /// Returns the spectra of both ears from sample `first` on, for bins 0...n/2; left in the lower half of each
    /// vector.
    private func spectra(
        _ transform: FourierTransform, _ left: [Float], _ right: [Float], from first: Int
    ) -> [SIMD4<Double>] {
        let n = transform.count
        var real = [Double](repeating: 0, count: n)
        var imaginary = real
        for i in first..<left.count { (real[i], imaginary[i]) = (Double(left[i]), Double(right[i])) }
        transform.forward(&real, &imaginary)
        return (0...(n / 2)).map { k in
            let m = (n - k) & (n - 1)
            return SIMD4(
                (real[k] + real[m]) / 2, (imaginary[k] - imaginary[m]) / 2, (imaginary[k] + imaginary[m]) / 2,
                (real[m] - real[k]) / 2)
        }
    }

    private func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }
}
