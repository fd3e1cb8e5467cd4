import CRealtime
import HRTF
import Signal

/// Makes the filters of a source with width.
///
/// A source of width w is heard as three of a third of its power each, w/3 apart, that are not correlated: an
/// incoherent arc in three parts, each at its middle. What they play are orthogonal combinations u = M·c/√3 of the
/// source's own sound and two copies of it, c, with
///
///     M = | 1/√3   1/√2   1/√6 |   left
///         | 1/√3    0    −2/√6 |   middle
///         | 1/√3  −1/√2   1/√6 |   right
///
/// so that each of c needs one pair of filters alone: the source's sound the mean of the field's filters for the three
/// directions, the copies differences of them, which vanish with the width. A source without width is thus heard as if
/// there were no copies, and nothing is faded or switched. The copies sound with the middle of the source first and
/// spread later, and the power of the three is the source's whatever the copies' phases are.
///
/// Heads hear some directions louder than others; by the field's own powers for pink sound the two ears together keep
/// the level that they have without width. Lauridsen (1954) made pseudo-stereo of one copy by sum and difference; this
/// is the same with three directions. Used by the audio thread alone.
struct SourceSpread: ~Copyable {
    /// Copies per source.
    static var copies: Int { @_noLocks get { 2 } }

    /// The filters of the three directions, stride 64.
    private let scratch: PlanarBlock

    /// For fields with spectra as long as this one's.
    init(_ field: SpectralFieldHandle) {
        scratch = PlanarBlock(channels: 3, frames: 64 * field.chunks)
    }

    /// The horizontal to the left of a direction (length 1) on its own stage; the stage's left where the direction is
    /// straight up or down.
    @_noLocks
    static func left(of direction: SIMD3<Double>) -> SIMD3<Double> {
        let flat = prc_sqrt(direction.x * direction.x + direction.y * direction.y)
        return flat > 1e-9 ? SIMD3(-direction.y / flat, direction.x / flat, 0) : SIMD3(0, 1, 0)
    }

    /// The filters of a source, read from a field, in a direction seen from the head, its left likewise, of `width` > 0
    /// radians and some gain: its own to `own`, those of its copies to `first` and `second`, which have another stride.
    /// Cost: three evaluations of the field and a pass over them.
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
