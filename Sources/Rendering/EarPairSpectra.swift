/// Spectra of a sound at both ears, bins 0…n/2 of a transform of n samples.
struct EarPairSpectra {
    var left: [(re: Double, im: Double)]
    var right: [(re: Double, im: Double)]

    /// Sum of both ears' powers, `[bin]`.
    var power: [Double] {
        zip(left, right).map { $0.re * $0.re + $0.im * $0.im + $1.re * $1.re + $1.im * $1.im }
    }

    /// Returns the cross-spectrum at a bin, summed over both ears: the conjugate of this spectrum times the other one.
    func cross(_ other: EarPairSpectra, _ bin: Int) -> (re: Double, im: Double) {
        func product(_ a: (re: Double, im: Double), _ b: (re: Double, im: Double)) -> (re: Double, im: Double) {
            (a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re)
        }
        let (l, r) = (product(left[bin], other.left[bin]), product(right[bin], other.right[bin]))
        return (l.re + r.re, l.im + r.im)
    }

    /// Returns the spectra of a phantom source between two loudspeakers: the sum of both loudspeakers' spectra times
    /// √½.
    static func phantom(_ a: EarPairSpectra, _ b: EarPairSpectra) -> EarPairSpectra {
        func half(_ a: [(re: Double, im: Double)], _ b: [(re: Double, im: Double)]) -> [(re: Double, im: Double)] {
            zip(a, b).map { (0.5.squareRoot() * ($0.re + $1.re), 0.5.squareRoot() * ($0.im + $1.im)) }
        }
        return EarPairSpectra(left: half(a.left, b.left), right: half(a.right, b.right))
    }
}
