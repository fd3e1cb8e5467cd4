import Glibc
import HRTF
import Signal

/// Time between the ears in the direct sound of a loudspeaker.
enum InterauralTime {
    /// Highest frequency that is compared with full weight, hertz; the weight falls to 0 at twice this frequency. At
    /// higher frequencies, the phase difference of the ears may exceed a period.
    private static let highest = 1500.0

    /// Returns how much later the direct sound is at the left ear than at the right, seconds, within ±1 ms; positive
    /// for a source on the right. `likeness` is the normalised correlation at this delay.
    static func delay(_ ears: [[Double]], sampleRate: Double) -> (seconds: Double, likeness: Double) {
        let first = ears.map { onset(of: $0) }.min() ?? 0
        let rows = ears.map { direct($0, onset: first, sampleRate: sampleRate) }
        let transform = FourierTransform(minimumCount: 4 * rows[0].count)
        let n = transform.count
        var real = rows[0] + [Double](repeating: 0, count: n - rows[0].count)
        var imaginary = rows[1] + [Double](repeating: 0, count: n - rows[1].count)
        transform.forward(&real, &imaginary)
        var (crossReal, crossImaginary) = (real, imaginary)
        var powers = (0.0, 0.0)
        for k in 0..<n {
            let m = (n - k) % n
            let p: SIMD2<Double> = SIMD2(real[k] + real[m], imaginary[k] - imaginary[m]) / 2
            let q: SIMD2<Double> = SIMD2(imaginary[k] + imaginary[m], real[m] - real[k]) / 2
            let hertz = Double(min(k, n - k)) * sampleRate / Double(n)
            let weight = RaisedCosine.value(2 - hertz / highest) * RaisedCosine.value(hertz / 200)
            (crossReal[k], crossImaginary[k]) = (
                weight * (q.x * p.x + q.y * p.y), weight * (q.x * p.y - q.y * p.x)
            )
            powers.0 += weight * (p * p).sum()
            powers.1 += weight * (q * q).sum()
        }
        transform.inverse(&crossReal, &crossImaginary)
        let reach = Int(0.001 * sampleRate)
        func value(_ lag: Int) -> Double { crossReal[(lag + n) % n] }
        let lag = (-reach...reach).max { value($0) < value($1) } ?? 0
        let (before, peak, after) = (value(lag - 1), value(lag), value(lag + 1))
        let bend = before - 2 * peak + after
        let part = bend < 0 ? max(-0.5, min(0.5, 0.5 * (before - after) / bend)) : 0
        let size = (powers.0 * powers.1).squareRoot() / Double(n)
        return ((Double(lag) + part) / sampleRate, size > 0 ? peak / size : 0)
    }

    /// Returns the first sample that reaches a fifth of the row's peak; the row's length if the row is silent.
    static func onset(of row: [Double]) -> Int {
        let peak = row.reduce(0) { max($0, abs($1)) }
        return peak > 0 ? row.firstIndex { abs($0) >= 0.2 * peak } ?? 0 : row.count
    }

    /// Returns the direct sound: from 1 ms before the onset to 3 ms after it, and fades of 1 ms before and after.
    private static func direct(_ row: [Double], onset: Int, sampleRate: Double) -> [Double] {
        let (first, count) = (onset - Int(0.002 * sampleRate), Int(0.006 * sampleRate))
        let edge = 0.001 * sampleRate
        return (0..<count).map { i in
            let window = RaisedCosine.value(Double(i) / edge) * RaisedCosine.value(Double(count - 1 - i) / edge)
            return row.indices.contains(first + i) ? row[first + i] * window : 0
        }
    }
}
