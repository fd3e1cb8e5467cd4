import Glibc

/// A complex discrete Fourier transform in double precision, for preparing responses off the audio thread.
///
/// Radix 2, decimation in time, tables computed once; O(n log n), about 12 µs for 1024 points. The audio thread uses
/// the Convolution module's transforms instead.
package struct FourierTransform: Sendable {
    /// Number of points, a power of two.
    package let count: Int
    private let cosines: [Double]
    private let sines: [Double]
    private let reversal: [Int32]

    /// Creates a transform of at least `minimumCount` points (rounded up to a power of two, at least 4).
    package init(minimumCount: Int) {
        var count = 4
        while count < minimumCount { count *= 2 }
        self.count = count
        cosines = (0..<(count / 2)).map { cos(2 * .pi * Double($0) / Double(count)) }
        sines = (0..<(count / 2)).map { sin(2 * .pi * Double($0) / Double(count)) }
        var reversal = [Int32](repeating: 0, count: count)
        let bits = count.trailingZeroBitCount
        for i in 1..<count { reversal[i] = reversal[i >> 1] >> 1 | Int32(i & 1) << Int32(bits - 1) }
        self.reversal = reversal
    }

    /// Transforms in place: X[k] = Σ x[n]·exp(−2πikn/N).
    package func forward(_ real: inout [Double], _ imaginary: inout [Double]) {
        real.withUnsafeMutableBufferPointer { r in
            imaginary.withUnsafeMutableBufferPointer { i in
                precondition(r.count == count && i.count == count)
                guard let r = r.baseAddress, let i = i.baseAddress else { return }
                transform(r, i)
            }
        }
    }

    /// Transforms back in place: x[n] = 1/N Σ X[k]·exp(2πikn/N).
    package func inverse(_ real: inout [Double], _ imaginary: inout [Double]) {
        // Exchanging real and imaginary parts turns the forward transform into the inverse, without its factor.
        forward(&imaginary, &real)
        let scale = 1 / Double(count)
        for k in 0..<count {
            real[k] *= scale
            imaginary[k] *= scale
        }
    }

    /// Transforms arrays of `count` values in place.
    func transform(_ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>) {
        for i in 0..<count {
            let j = Int(reversal[i])
            if j > i {
                (real[i], real[j]) = (real[j], real[i])
                (imaginary[i], imaginary[j]) = (imaginary[j], imaginary[i])
            }
        }
        cosines.withUnsafeBufferPointer { c in
            sines.withUnsafeBufferPointer { s in
                guard let c = c.baseAddress, let s = s.baseAddress else { return }
                var half = 1
                while half < count {
                    let stride = count / (2 * half)
                    var start = 0
                    while start < count {
                        for k in 0..<half {
                            let (wr, wi) = (c[k * stride], -s[k * stride])
                            let (a, b) = (start + k, start + k + half)
                            let tr = wr * real[b] - wi * imaginary[b]
                            let ti = wr * imaginary[b] + wi * real[b]
                            real[b] = real[a] - tr
                            imaginary[b] = imaginary[a] - ti
                            real[a] += tr
                            imaginary[a] += ti
                        }
                        start += 2 * half
                    }
                    half *= 2
                }
            }
        }
    }
}
