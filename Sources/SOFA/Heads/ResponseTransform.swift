import Glibc

/// Transforms half a spectrum to its real response, for any number of samples.
///
/// x[n] = 1/L·Σ X[k]·exp(2πikn/L) with X[L − k] = X[k]*. Powers of two use radix 2. Other lengths use Bluestein's chirp
/// transform ("A linear filtering approach to the computation of the discrete Fourier transform", IEEE Trans. AU
/// 18:451, 1970) with the smallest power of two of at least 2L. O(L·log L); within 1e-12 of the largest sample. Not for
/// the audio thread.
struct ResponseTransform {
    /// Number of samples, L.
    let count: Int
    private let radix2: Radix2
    /// exp(iπn²/L) and the spectrum of its conjugate; empty if L is a power of two.
    private let chirp: [SIMD2<Double>]
    private let chirpSpectrum: [SIMD2<Double>]

    /// Prepares the transform for `count` samples, at least 2.
    init(count: Int) {
        precondition(count >= 2)
        self.count = count
        guard count & (count - 1) != 0 else {
            (radix2, chirp, chirpSpectrum) = (Radix2(count: count), [], [])
            return
        }
        var size = 4
        while size < 2 * count { size *= 2 }
        radix2 = Radix2(count: size)
        // n² is reduced modulo 2L, so that the angle keeps its digits.
        chirp = (0..<count).map { n in
            let angle = .pi * Double((n * n) % (2 * count)) / Double(count)
            return SIMD2(cos(angle), sin(angle))
        }
        var kernel = [SIMD2<Double>](repeating: .zero, count: size)
        for n in 0..<count {
            let conjugate = SIMD2(chirp[n].x, -chirp[n].y)
            kernel[n] = conjugate
            if n > 0 { kernel[size - n] = conjugate }
        }
        radix2.forward(&kernel)
        chirpSpectrum = kernel
    }

    /// Returns the response of bins 0…L/2 (rounded down), `(real, imaginary)`. The imaginary parts at 0, and at L/2 for
    /// an even L, are ignored.
    func response(_ bins: [SIMD2<Double>]) -> [Float] {
        precondition(bins.count == count / 2 + 1)
        // Conjugated, so that the forward transform acts as the inverse: x = (Σ X*·exp(−2πikn/L))*/L, x real.
        var spectrum = [SIMD2<Double>](repeating: .zero, count: radix2.count)
        for (k, bin) in bins.enumerated() {
            let isReal = k == 0 || 2 * k == count
            spectrum[k] = SIMD2(bin.x, isReal ? 0 : bin.y)
            if !isReal { spectrum[count - k] = SIMD2(bin.x, -bin.y) }
        }
        let scale = 1 / Double(count)
        if chirp.isEmpty {
            for k in 0..<count { spectrum[k].y = -spectrum[k].y }
            radix2.forward(&spectrum)
            return spectrum.map { Float($0.x * scale) }
        }
        for k in 0..<count { spectrum[k] = ResponseTransform.product(spectrum[k], chirp[k]) }
        radix2.forward(&spectrum)
        // The inverse transform of the product, by conjugation before and after; it includes the factor 1/size.
        for k in spectrum.indices {
            let value = ResponseTransform.product(spectrum[k], chirpSpectrum[k])
            spectrum[k] = SIMD2(value.x, -value.y)
        }
        radix2.forward(&spectrum)
        let whole = scale / Double(radix2.count)
        return (0..<count).map { n in
            let value = SIMD2(spectrum[n].x, -spectrum[n].y)
            return Float(ResponseTransform.product(value, chirp[n]).x * whole)
        }
    }

    private static func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }
}

/// A complex transform whose length is a power of two, decimation in time, with tables computed once.
private struct Radix2 {
    let count: Int
    private let turns: [SIMD2<Double>]
    private let reversal: [Int32]

    init(count: Int) {
        self.count = count
        turns = (0..<(count / 2)).map {
            SIMD2(cos(2 * .pi * Double($0) / Double(count)), -sin(2 * .pi * Double($0) / Double(count)))
        }
        let bits = count.trailingZeroBitCount
        var reversal = [Int32](repeating: 0, count: count)
        for i in 1..<count { reversal[i] = reversal[i >> 1] >> 1 | Int32(i & 1) << Int32(bits - 1) }
        self.reversal = reversal
    }

    /// Transforms in place: X[k] = Σ x[n]·exp(−2πikn/N).
    func forward(_ values: inout [SIMD2<Double>]) {
        for i in 0..<count where Int(reversal[i]) > i { values.swapAt(i, Int(reversal[i])) }
        var half = 1
        while half < count {
            let stride = count / (2 * half)
            var start = 0
            while start < count {
                for j in 0..<half {
                    let turn = turns[j * stride]
                    let b = values[start + j + half]
                    let turned = SIMD2(b.x * turn.x - b.y * turn.y, b.x * turn.y + b.y * turn.x)
                    let a = values[start + j]
                    values[start + j] = a + turned
                    values[start + j + half] = a - turned
                }
                start += 2 * half
            }
            half *= 2
        }
    }
}
