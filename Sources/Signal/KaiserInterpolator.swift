import Glibc

/// Filters that compute a signal's value between two samples: a sinc with a Kaiser window.
package enum KaiserInterpolator {
    /// Returns `count` taps h; `count` must be even. For a signal x, Σ_k h[k]·x[n − k] is the value at the time n −
    /// count/2 + `fraction`, in samples; `fraction` is 0…1.
    ///
    /// - Parameter shape: β of the window. A larger β gives less ripple and a wider transition at half the sample rate.
    package static func taps(_ count: Int, at fraction: Double, shape: Double) -> [Double] {
        (0..<count).map { tap in
            let x = Double(tap - count / 2) + fraction
            let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
            let u = x / Double(count / 2)
            return sinc * bessel(shape * max(0, 1 - u * u).squareRoot()) / bessel(shape)
        }
    }

    /// Returns the modified Bessel function of the first kind and order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for k in 1..<30 {
            term *= (x / 2) * (x / 2) / Double(k * k)
            sum += term
        }
        return sum
    }
}
