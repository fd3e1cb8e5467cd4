import Foundation

/// High-pass filters for the search for clicks: above the music's spectrum a click stands out.
package enum HighPass {
    /// Returns `over` at 8 kHz.
    package static func over8kHz(_ x: [Float], _ rate: Double) -> [Double] { over(8000, x, rate) }

    /// Returns `x` at `rate` hertz through a sixth-order Butterworth high-pass at `hertz`, as three sections.
    package static func over(_ hertz: Double, _ x: [Float], _ rate: Double) -> [Double] {
        var y = x.map { Double($0) }
        for q in [0.517_638, 0.707_107, 1.931_852] {
            let w = 2 * .pi * hertz / rate
            let (c, alpha) = (cos(w), sin(w) / (2 * q))
            let a0 = 1 + alpha
            let (b0, b1) = ((1 + c) / 2 / a0, -(1 + c) / a0)
            let (a1, a2) = (-2 * c / a0, (1 - alpha) / a0)
            var (s1, s2) = (0.0, 0.0)
            for i in y.indices {
                let input = y[i]
                let output = b0 * input + s1
                s1 = b1 * input - a1 * output + s2
                s2 = b0 * input - a2 * output
                y[i] = output
            }
        }
        return y
    }
}
