import Glibc

/// Spectra in double precision, real and imaginary parts interleaved by bin.
final class TransformTruth: Truth {
    let name = "a transform in double precision"
    private let work: TransformWork
    private let offset: Double
    private let step: Int

    /// Bins at (k·step + offset)/size of the sample rate: FFTW's with step 1 and offset 0; the odd frequencies of a
    /// transform of half as many points, 2π(2k + ½)/size, with step 2 and offset ½.
    init(_ work: TransformWork, step: Int = 1, offset: Double = 0) {
        self.work = work
        self.step = step
        self.offset = offset
    }

    func result(ofStep index: Int, rows: inout [[Double]]) {
        let n = work.size
        for row in 0..<TransformWork.count {
            let turned = (0..<n).map { frame -> (re: Double, im: Double) in
                let angle = -2 * Double.pi * offset * Double(frame) / Double(n)
                let x = Double(work.samples[row][frame])
                return (x * cos(angle), x * sin(angle))
            }
            let spectrum = TransformTruth.transform(turned)
            for bin in 0..<(n / 2) {
                rows[row][2 * bin] = spectrum[step * bin].re
                rows[row][2 * bin + 1] = spectrum[step * bin].im
            }
        }
    }

    /// Mixed radix, decimation in time (Cooley & Tukey 1965); any length, fast where its factors are small.
    private static func transform(_ x: [(re: Double, im: Double)]) -> [(re: Double, im: Double)] {
        let n = x.count
        guard n > 1, let radix = [2, 3, 5, 7].first(where: { n % $0 == 0 }) ?? Optional(n) else { return x }
        let m = n / radix
        let parts = (0..<radix).map { first in transform(stride(from: first, to: n, by: radix).map { x[$0] }) }
        return (0..<n).map { k in
            var sum = (re: 0.0, im: 0.0)
            for part in 0..<radix {
                let angle = -2 * Double.pi * Double(k * part % n) / Double(n)
                let (c, s, value) = (cos(angle), sin(angle), parts[part][k % m])
                sum.re += value.re * c - value.im * s
                sum.im += value.re * s + value.im * c
            }
            return sum
        }
    }
}
