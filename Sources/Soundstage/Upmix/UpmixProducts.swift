import Signal

/// Products of two channels' spectra with a set of masks: the spectra of the centre and of the two surrounds.
///
/// Spectra are `[chunk of 16 bins][re 16][im 16]`. Results go to three rows of that kind. Cost: about 1 ns per bin.
enum UpmixProducts {
    private typealias Lane = SIMD16<Float>

    /// √½, of left and right in the centre.
    static var root: Float { @_noLocks get { 0.707_106_77 } }

    @_noLocks
    @inline(__always)
    private static func load(_ row: UnsafePointer<Float>, _ at: Int) -> Lane {
        UnsafeRawPointer(row + at).load(as: Lane.self)
    }

    @_noLocks
    @inline(__always)
    private static func store(_ value: Lane, _ row: UnsafeMutablePointer<Float>, _ at: Int) {
        UnsafeMutableRawPointer(row + at).storeBytes(of: value, as: Lane.self)
    }

    /// By real masks `[mask][bin]`.
    @_noLocks
    static func real(
        bins: Int, masks: UnsafePointer<Float>, left: UnsafePointer<Float>, right: UnsafePointer<Float>,
        results: borrowing PlanarBlock
    ) {
        let (centre, first, second) = (results[0], results[1], results[2])
        for chunk in 0..<(bins / 16) {
            let at = 32 * chunk
            let middle = load(masks, 16 * chunk) * root
            let ll = load(masks + bins, 16 * chunk)
            let lr = load(masks + 2 * bins, 16 * chunk)
            let rr = load(masks + 3 * bins, 16 * chunk)
            for part in stride(from: 0, through: 16, by: 16) {
                let (a, b) = (load(left, at + part), load(right, at + part))
                store(middle * (a + b), centre, at + part)
                store(ll * a + lr * b, first, at + part)
                store(lr * a + rr * b, second, at + part)
            }
        }
    }

    /// By complex masks `[mask][chunk][re 16][im 16]`.
    @_noLocks
    static func complex(
        bins: Int, masks: UnsafePointer<Float>, left: UnsafePointer<Float>, right: UnsafePointer<Float>,
        results: borrowing PlanarBlock
    ) {
        for chunk in 0..<(bins / 16) {
            let at = 32 * chunk
            let (a, b) = (load(left, at), load(left, at + 16))
            let (c, d) = (load(right, at), load(right, at + 16))
            let (m, n) = (load(masks, at) * root, load(masks, at + 16) * root)
            let (p, q) = (load(masks + 2 * bins, at), load(masks + 2 * bins, at + 16))
            let (s, t) = (load(masks + 4 * bins, at), load(masks + 4 * bins, at + 16))
            let (u, v) = (load(masks + 6 * bins, at), load(masks + 6 * bins, at + 16))
            let (e, f) = (a + c, b + d)
            store(m * e - n * f, results[0], at)
            store(m * f + n * e, results[0], at + 16)
            store(p * a - q * b + s * c - t * d, results[1], at)
            store(p * b + q * a + s * d + t * c, results[1], at + 16)
            store(s * a - t * b + u * c - v * d, results[2], at)
            store(s * b + t * a + u * d + v * c, results[2], at + 16)
        }
    }
}
