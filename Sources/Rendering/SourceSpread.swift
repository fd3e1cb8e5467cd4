import CRealtime
import HRTF
import Signal

/// Filters of a source with width.
///
/// A source of width w is rendered as three uncorrelated sources, w/3 apart, with a third of its power each. They
/// approximate an incoherent arc: each is in the middle of a third of the arc. Their signals are u = M·c/√3. The three
/// elements of c are the source's own signal and its two decorrelated copies. M is orthogonal:
///
///     M = | 1/√3   1/√2   1/√6 |   left
///         | 1/√3    0    −2/√6 |   middle
///         | 1/√3  −1/√2   1/√6 |   right
///
/// Each element of c therefore needs only one pair of filters. For the source's own signal the filters are the mean of
/// the field's filters for the three directions. For the copies they are differences of these filters, which vanish
/// with the width. A source without width thus sounds as it does without copies, and needs no fade or switch. The
/// copies are delayed relative to the source, so sound begins in the middle and spreads. The power of the three equals
/// the source's power for any phases of the copies.
///
/// HRTFs are louder in some directions than in others. A gain, computed from the field's own powers for pink sound,
/// gives both ears together the level of a source without width. Lauridsen (1954) made pseudo-stereo from one copy by
/// sum and difference; this is the same method with three directions. Only the audio thread uses the value.
struct SourceSpread: ~Copyable {
    /// Copies per source.
    static var copies: Int { @_noLocks get { 2 } }

    /// Filters of the three directions, in chunks of 64 floats.
    private let scratch: PlanarBlock

    /// Allocates memory for fields whose spectra are as long as this field's.
    init(_ field: SpectralFieldHandle) {
        scratch = PlanarBlock(channels: 3, frames: 64 * field.chunks)
    }

    /// Returns the horizontal unit vector to the left of `direction`, a unit vector in stage axes. For a vertical
    /// direction it is the stage's left.
    @_noLocks
    static func left(of direction: SIMD3<Double>) -> SIMD3<Double> {
        let flat = prc_sqrt(direction.x * direction.x + direction.y * direction.y)
        return flat > 1e-9 ? SIMD3(-direction.y / flat, direction.x / flat, 0) : SIMD3(0, 1, 0)
    }

    /// Evaluates the filters of a source of `width` > 0 radians from a field. `direction`, and the horizontal direction
    /// `left` at a right angle to it, are in head axes. The source's own filters are written to `own`, with `stride`
    /// floats from chunk to chunk. The filters of its copies are written to `first` and `second`, with `copyStride`
    /// floats from chunk to chunk. Cost: three evaluations of the field and a pass over them.
    @_noLocks
    func evaluate(
        _ field: SpectralFieldHandle, _ direction: SIMD3<Double>, left: SIMD3<Double>, width: Double, gain: Float,
        own: UnsafeMutablePointer<Float>, stride: Int, first: UnsafeMutablePointer<Float>,
        second: UnsafeMutablePointer<Float>, copyStride: Int
    ) {
        let (cosine, sine) = (prc_cos(width / 3), prc_sin(width / 3))
        let (a, c) = (direction * cosine + left * sine, direction * cosine - left * sine)
        let cellA = field.cell(x: a.x, y: a.y, z: a.z)
        let cellB = field.cell(x: direction.x, y: direction.y, z: direction.z)
        let cellC = field.cell(x: c.x, y: c.y, z: c.z)
        let middle = field.power(cellB)
        let mean = (field.power(cellA) + middle + field.power(cellC)) / 3
        let level = mean > 0 ? gain * Float(prc_sqrt(middle / mean)) : gain
        let (x, y, z) = (scratch[0], scratch[1], scratch[2])
        field.evaluate(x: a.x, y: a.y, z: a.z, cell: cellA, gain: level, to: x, stride: 64)
        field.evaluate(
            x: direction.x, y: direction.y, z: direction.z, cell: cellB, gain: level, to: y, stride: 64)
        field.evaluate(x: c.x, y: c.y, z: c.z, cell: cellC, gain: level, to: z, stride: 64)
        // 1/3, 1/√6, 1/√18.
        let (third, dipole, bend) = (Float(1.0 / 3), Float(0.408_248_290_463_863), Float(0.235_702_260_395_516))
        for chunk in 0..<field.chunks {
            let (l, m, r) = (x + 64 * chunk, y + 64 * chunk, z + 64 * chunk)
            let (o, f, s) = (own + stride * chunk, first + copyStride * chunk, second + copyStride * chunk)
            for i in 0..<64 {
                o[i] = third * (l[i] + m[i] + r[i])
                f[i] = dipole * (l[i] - r[i])
                s[i] = bend * (l[i] - 2 * m[i] + r[i])
            }
        }
    }
}
