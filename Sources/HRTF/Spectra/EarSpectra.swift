import Geometry
import Glibc

/// Spectra of two real signals that were transformed as one complex signal, left + i·right.
struct EarSpectra {
    /// Real and imaginary parts, `[ear][bin]`, bins 0…n/2.
    var real: [[Double]]
    var imaginary: [[Double]]

    init(binCount: Int) {
        real = [[Double]](repeating: [Double](repeating: 0, count: binCount), count: 2)
        imaginary = real
    }

    /// Separates the two spectra: L = (Z[k] + Z*[n−k])/2, R = (Z[k] − Z*[n−k])/2i, with the spectrum Z of left +
    /// i·right.
    mutating func separate(_ zr: [Double], _ zi: [Double]) {
        let n = zr.count
        for k in 0...(n / 2) {
            let mirror = (n - k) & (n - 1)
            real[0][k] = 0.5 * (zr[k] + zr[mirror])
            imaginary[0][k] = 0.5 * (zi[k] - zi[mirror])
            real[1][k] = 0.5 * (zi[k] + zi[mirror])
            imaginary[1][k] = 0.5 * (zr[mirror] - zr[k])
        }
    }

    /// Combines both spectra to one complex spectrum.
    func combine(_ zr: inout [Double], _ zi: inout [Double]) {
        let n = zr.count
        for k in 0...(n / 2) {
            let mirror = (n - k) & (n - 1)
            // The lowest and the highest bin of a real signal are real.
            let isEdge = mirror == k || k == n / 2
            let (li, ri) = isEdge ? (0, 0) : (imaginary[0][k], imaginary[1][k])
            zr[k] = real[0][k] - ri
            zi[k] = li + real[1][k]
            if !isEdge {
                zr[mirror] = real[0][k] + ri
                zi[mirror] = real[1][k] - li
            }
        }
    }

    /// Advances one ear's signal by `samples`, circularly over `n` samples.
    mutating func advance(_ ear: Int, by samples: Double, of n: Int) {
        let step = 2 * Double.pi * samples / Double(n)
        for k in real[ear].indices {
            let (c, s) = (cos(step * Double(k)), sin(step * Double(k)))
            let (a, b) = (real[ear][k], imaginary[ear][k])
            real[ear][k] = a * c - b * s
            imaginary[ear][k] = a * s + b * c
        }
    }

    /// Multiplies one ear's spectrum by the spectrum of a filter.
    mutating func filter(_ ear: Int, by filter: [(real: Double, imaginary: Double)]) {
        for k in real[ear].indices {
            let (a, b) = (real[ear][k], imaginary[ear][k])
            real[ear][k] = a * filter[k].real - b * filter[k].imaginary
            imaginary[ear][k] = a * filter[k].imaginary + b * filter[k].real
        }
    }
}
