import Glibc

/// A complex discrete Fourier transform in double precision, for the preparation of responses off the audio thread.
///
/// Radix 2, decimation in time, with tables computed once. O(n log n), about 4 µs for 1024 points. The audio thread
/// uses the transforms of the Convolution module instead.
package struct FourierTransform: Sendable {
    /// Number of points, a power of two.
    package let count: Int
    /// Factors exp(−iπk/half) at index `half + k`, for the passes half = 1, 2, 4 … count/2 and k < half.
    private let cosines: [Double]
    private let sines: [Double]
    private let reversal: [Int32]

    /// Number of butterflies that a pass computes together.
    private typealias Group = SIMD4<Double>

    /// Creates a transform of at least `minimumCount` points (rounded up to a power of two, at least 4).
    package init(minimumCount: Int) {
        var count = 4
        while count < minimumCount { count *= 2 }
        self.count = count
        let circle = (0..<(count / 2)).map { 2 * .pi * Double($0) / Double(count) }
        let (c, s) = (circle.map { cos($0) }, circle.map { sin($0) })
        var (cosines, sines) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        var half = 1
        while half < count {
            for k in 0..<half {
                cosines[half + k] = c[k * (count / (2 * half))]
                sines[half + k] = -s[k * (count / (2 * half))]
            }
            half *= 2
        }
        (self.cosines, self.sines) = (cosines, sines)
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

    /// Inverse transform in place: x[n] = 1/N Σ X[k]·exp(2πikn/N).
    package func inverse(_ real: inout [Double], _ imaginary: inout [Double]) {
        // With real and imaginary parts exchanged, the forward transform is the inverse without its factor.
        forward(&imaginary, &real)
        let scale = 1 / Double(count)
        for k in 0..<count {
            real[k] *= scale
            imaginary[k] *= scale
        }
    }

    /// Transforms arrays of `count` values in place.
    func transform(_ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>) {
        reversal.withUnsafeBufferPointer { reversal in
            for i in 0..<count {
                let j = Int(reversal[i])
                if j > i {
                    (real[i], real[j]) = (real[j], real[i])
                    (imaginary[i], imaginary[j]) = (imaginary[j], imaginary[i])
                }
            }
        }
        cosines.withUnsafeBufferPointer { c in
            sines.withUnsafeBufferPointer { s in
                guard let c = c.baseAddress, let s = s.baseAddress else { return }
                var half = 1
                while half < count {
                    var start = 0
                    while start < count {
                        let (r, i) = (real + start, imaginary + start)
                        if half < Group.scalarCount {
                            for k in 0..<half { Self.turn(r + k, i + k, half, c[half + k], s[half + k]) }
                        } else {
                            for k in stride(from: 0, to: half, by: Group.scalarCount) {
                                Self.turn(r + k, i + k, half, c + half + k, s + half + k)
                            }
                        }
                        start += 2 * half
                    }
                    half *= 2
                }
            }
        }
    }

    /// Computes one butterfly from the value at a place and the value `half` places after it, which is rotated by a
    /// factor.
    @inline(__always) private static func turn(
        _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>, _ half: Int,
        _ wr: Double, _ wi: Double
    ) {
        let tr = wr * real[half] - wi * imaginary[half]
        let ti = wr * imaginary[half] + wi * real[half]
        (real[half], imaginary[half]) = (real[0] - tr, imaginary[0] - ti)
        real[0] += tr
        imaginary[0] += ti
    }

    /// Computes a group of butterflies at successive places.
    @inline(__always) private static func turn(
        _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>, _ half: Int,
        _ cosines: UnsafePointer<Double>, _ sines: UnsafePointer<Double>
    ) {
        let (wr, wi) = (load(cosines), load(sines))
        let (x, y) = (load(real + half), load(imaginary + half))
        let (u, v) = (load(real), load(imaginary))
        let (tr, ti) = (wr * x - wi * y, wr * y + wi * x)
        UnsafeMutableRawPointer(real + half).storeBytes(of: u - tr, as: Group.self)
        UnsafeMutableRawPointer(imaginary + half).storeBytes(of: v - ti, as: Group.self)
        UnsafeMutableRawPointer(real).storeBytes(of: u + tr, as: Group.self)
        UnsafeMutableRawPointer(imaginary).storeBytes(of: v + ti, as: Group.self)
    }

    @inline(__always) private static func load(_ place: UnsafePointer<Double>) -> Group {
        UnsafeRawPointer(place).loadUnaligned(as: Group.self)
    }
}
