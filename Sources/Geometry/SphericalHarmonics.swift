import CRealtime

/// Real spherical harmonics, the channels of ambisonics. They are ordered by ACN (l² + l + m for degree l and index −l
/// ≤ m ≤ l) and scaled by SN3D, without the Condon-Shortley phase.
///
/// Y(l, m) = √((2 − δ(m, 0))·(l − |m|)!/(l + |m|)!)·P(l, |m|)(sin elevation)·(m ≥ 0 ? cos m·azimuth : sin |m|·azimuth),
/// with δ Kronecker's symbol and P the associated Legendre function. The first harmonic is 1 everywhere; the next three
/// are the components y, z, x of the unit vector. Sources: Nachbar, Zotter, Deleflie & Sontacchi, "AmbiX – a suggested
/// ambisonics format", Ambisonics Symposium 2011; recursions after Zotter & Frank, "Ambisonics", appendix A.3.
package enum SphericalHarmonics {
    /// Highest order that is supported.
    package static let maximumOrder = 7

    /// Returns the number of harmonics up to an order: (order + 1)².
    @_noLocks
    package static func count(order: Int) -> Int { (order + 1) * (order + 1) }

    /// Returns the degree l of the harmonic with an ACN index: ⌊√index⌋.
    @_noLocks
    package static func degree(ofIndex index: Int) -> Int {
        var degree = 0
        while (degree + 1) * (degree + 1) <= index { degree += 1 }
        return degree
    }

    /// Returns all harmonics up to `order` in a direction, in ACN order. Allocates memory: call it off the audio
    /// thread. Takes about 1 µs at order 7.
    package static func values<Frame>(order: Int, _ direction: Direction<Frame>) -> [Double] {
        let u = direction.unit
        return [Double](unsafeUninitializedCapacity: count(order: order)) { values, count in
            if let base = values.baseAddress { write(order: order, x: u.x, y: u.y, z: u.z, to: base) }
            count = self.count(order: order)
        }
    }

    /// Writes the harmonics of the unit vector (x, y, z) to memory with room for `count(order:)` values. Safe on the
    /// audio thread.
    @_noLocks
    package static func write(order: Int, x: Double, y: Double, z: Double, to result: UnsafeMutablePointer<Double>) {
        // cos^m(elevation)·e^{i·m·azimuth} = (x + iy)^m needs no angle, and is exact at the poles.
        var (cosine, sine, sectoral) = (1.0, 0.0, 1.0)
        for m in 0...order {
            // Legendre functions divided by cos^m(elevation), from (2m − 1)!! upwards in l.
            var (before, here) = (0.0, sectoral)
            for l in m...order {
                if l > m {
                    (before, here) = (here, (Double(2 * l - 1) * z * here - Double(l + m - 1) * before) / Double(l - m))
                }
                let value = here * scale(l, m)
                result[l * l + l + m] = value * cosine
                if m > 0 { result[l * l + l - m] = value * sine }
            }
            (cosine, sine) = (cosine * x - sine * y, cosine * y + sine * x)
            sectoral *= Double(2 * m + 1)
        }
    }

    /// Returns √((2 − δ(m, 0))·(l − m)!/(l + m)!) for m ≥ 0.
    @_noLocks
    private static func scale(_ l: Int, _ m: Int) -> Double {
        var ratio = m == 0 ? 1.0 : 2.0
        if m > 0 { for k in (l - m + 1)...(l + m) { ratio /= Double(k) } }
        return prc_sqrt(ratio)
    }
}
