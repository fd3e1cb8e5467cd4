import CRealtime
import HRTF
import Signal

/// Filters of a source with width.
///
/// A source of width w is rendered as three uncorrelated sources with a third of its power each, w/3 apart: an
/// incoherent arc in three parts, each at its middle. Their signals are orthogonal combinations u = M·c/√3 of c, the
/// source's own signal and two decorrelated copies, with
///
///     M = | 1/√3   1/√2   1/√6 |   left
///         | 1/√3    0    −2/√6 |   middle
///         | 1/√3  −1/√2   1/√6 |   right
///
/// so that each element of c needs only one pair of filters. For the source's signal these are the mean of the field's
/// filters for the three directions, for the copies differences of them, which vanish with the width. A source without
/// width thus sounds as without copies, and needs no fade or switch. The copies sound with the middle of the source
/// first and spread later. The power of the three is the source's for any phases of the copies.
///
/// HRTFs are louder in some directions than in others. A gain from the field's own powers for pink sound gives both
/// ears together the level that they have without width. Lauridsen (1954) made pseudo-stereo of one copy by sum and
/// difference; this is the same with three directions. Used by the audio thread alone.
struct SourceSpread: ~Copyable {
    /// Copies per source.
    static var copies: Int { @_noLocks get { 2 } }

    /// Filters of the three directions, stride 64.
    private let scratch: PlanarBlock

    /// Allocates memory for fields with spectra as long as this one's.
    init(_ field: SpectralFieldHandle) {
        scratch = PlanarBlock(channels: 3, frames: 64 * field.chunks)
    }

    /// Returns the horizontal direction to the left of a direction (length 1) on its own stage; for one straight up or
    /// down, the stage's left.
    @_noLocks
    static func left(of direction: SIMD3<Double>) -> SIMD3<Double> {
        let flat = prc_sqrt(direction.x * direction.x + direction.y * direction.y)
        return flat > 1e-9 ? SIMD3(-direction.y / flat, direction.x / flat, 0) : SIMD3(0, 1, 0)
    }

    /// Evaluates the filters of a source of `width` > 0 radians and a gain from a field; `direction` and its `left` are
    /// in head axes. Writes its own to `own`, and those of its copies, with another stride, to `first` and `second`.
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
