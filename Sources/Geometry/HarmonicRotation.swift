import CRealtime

/// Rotation of sound fields. It computes the matrices that map the real spherical harmonics of a direction to those of
/// the rotated direction. There is one matrix for each degree, because degrees do not mix.
///
/// Row r and column c of degree l belong to the harmonics of index m = r − l and m = c − l. The matrices are
/// orthogonal, and the same for SN3D and N3D. They are computed degree by degree from the rotation's own matrix (Ivanic
/// & Ruedenberg, "Rotation matrices for real spherical harmonics. Direct determination by recursion", J. Phys. Chem.
/// 100 (1996), tables 1 and 2 and eqs. 8.1–8.4, with the corrections in J. Phys. Chem. A 102 (1998)). The factors u, v
/// and w of that method are each a product of a factor of the row and a factor of the column. Apart from the factors of
/// the columns, the inner columns of each row are therefore a weighted sum of at most five rows of degree l − 1. The
/// first and the last column are sums over the outermost columns of the same rows. Create a rotation off the audio
/// thread, and use it on one thread only.
package struct HarmonicRotation: ~Copyable {
    /// Highest degree.
    package let order: Int
    /// One addend of a row: the product of a factor, a row of the rotation's own matrix and a row of the degree below,
    /// combined as in P of the paper.
    private struct Term {
        var factor: Double
        /// Row of the rotation's own matrix.
        var axis: Int
        /// Row of the degree below.
        var row: Int
    }
    /// `[row][5]`: addends of each row. Rows are counted through all degrees: l² + l + m. Unused addends have the
    /// factor 0.
    private let terms: UnsafeMutablePointer<Term>
    /// `[row]`, counted as in `terms`: number of addends.
    private let termCounts: UnsafeMutablePointer<Int>
    /// `[degree][lane]`: factors of the columns; column m has lane 7 + m. From degree 2 on they are 1/√((l + m)(l − m))
    /// for |m| < l. All other entries are 0: `degree` computes the factor of the columns |m| = l.
    private let scales: UnsafeMutablePointer<Double>
    /// Scratch memory of two degrees, `[row][lane]`. Column m of every degree has lane 7 + m, so that the columns of
    /// one degree align with those of the degree below.
    private let work: UnsafeMutablePointer<Double>
    private static var lanes: Int { @_noLocks get { 16 } }
    private static var middle: Int { @_noLocks get { 7 } }

    /// Prepares rotations of sound fields up to an order, which is limited to 0…7.
    package init(order: Int) {
        self.order = max(0, min(SphericalHarmonics.maximumOrder, order))
        let rows = SphericalHarmonics.count(order: self.order)
        terms = .allocate(capacity: 5 * rows)
        terms.initialize(repeating: Term(factor: 0, axis: 0, row: 0), count: 5 * rows)
        termCounts = .allocate(capacity: rows)
        termCounts.initialize(repeating: 0, count: rows)
        let lanes = HarmonicRotation.lanes
        scales = .allocate(capacity: 8 * lanes)
        scales.initialize(repeating: 0, count: 8 * lanes)
        work = .allocate(capacity: 2 * lanes * lanes)
        work.initialize(repeating: 0, count: 2 * lanes * lanes)
        guard self.order >= 2 else { return }
        for l in 2...self.order {
            for m in -l...l {
                let index = l * l + l + m
                if abs(m) < l {
                    scales[l * lanes + HarmonicRotation.middle + m] = 1 / Double((l + m) * (l - m)).squareRoot()
                }
                let list = HarmonicRotation.addends(l, m)
                termCounts[index] = list.count
                for (place, term) in list.enumerated() { terms[5 * index + place] = term }
            }
        }
    }

    deinit {
        terms.deallocate()
        termCounts.deallocate()
        scales.deallocate()
        work.deallocate()
    }

    /// Returns the offset of a degree's matrix among all matrices. The matrix has 2l + 1 rows and columns; the offset
    /// is l(2l − 1)(2l + 1)/3.
    @_noLocks
    package static func offset(ofDegree l: Int) -> Int { l * (2 * l - 1) * (2 * l + 1) / 3 }

    /// Returns how many numbers the matrices of the degrees 0 to `order` have: 84 at order 3, 680 at order 7.
    @_noLocks
    package static func elementCount(order: Int) -> Int { offset(ofDegree: order + 1) }

    /// Writes the matrices D of a rotation: Y(rotated v) = D·Y(v), with Y(v) the harmonics of the direction v. The
    /// matrices of degree 0 to `order` follow one another, each row by row.
    ///
    /// `matrices` must have room for `elementCount(order:)` numbers. Safe on the audio thread. Cost: about 5·16
    /// multiply-adds per row, less than a microsecond at order 7.
    @_noLocks
    package mutating func turn(_ rotation: Quaternion, to matrices: UnsafeMutablePointer<Float>) {
        matrices[0] = 1
        guard order >= 1 else { return }
        // Harmonics of degree 1 are y, z and x. Their matrix is the rotation's own, with rows and columns in that
        // order.
        let (y, z, x) = (
            rotation.rotate(SIMD3(0, 1, 0)), rotation.rotate(SIMD3(0, 0, 1)), rotation.rotate(SIMD3(1, 0, 0))
        )
        let own = (SIMD3(y.y, z.y, x.y), SIMD3(y.z, z.z, x.z), SIMD3(y.x, z.x, x.x))
        let size = HarmonicRotation.lanes * HarmonicRotation.lanes
        for i in 0..<(2 * size) { work[i] = 0 }
        set(work, row: 0, own.0)
        set(work, row: 1, own.1)
        set(work, row: 2, own.2)
        write(work, degree: 1, to: matrices)
        guard order >= 2 else { return }
        for l in 2...order {
            let (below, target) = l % 2 == 0 ? (work, work + size) : (work + size, work)
            degree(l, own, from: below, to: target)
            write(target, degree: l, to: matrices)
        }
    }

    /// Sets a row of degree 1.
    @_noLocks
    private func set(_ target: UnsafeMutablePointer<Double>, row: Int, _ values: SIMD3<Double>) {
        let first = row * HarmonicRotation.lanes + HarmonicRotation.middle - 1
        target[first] = values.x
        target[first + 1] = values.y
        target[first + 2] = values.z
    }

    /// Copies a degree's matrix to its offset in the result.
    @_noLocks
    private func write(_ source: UnsafeMutablePointer<Double>, degree l: Int, to matrices: UnsafeMutablePointer<Float>)
    {
        let width = 2 * l + 1
        let target = matrices + HarmonicRotation.offset(ofDegree: l)
        for row in 0..<width {
            let from = source + row * HarmonicRotation.lanes + HarmonicRotation.middle - l
            for column in 0..<width { target[row * width + column] = Float(from[column]) }
        }
    }

    /// Computes the matrix of degree l from that of degree l − 1.
    @_noLocks
    private func degree(
        _ l: Int, _ own: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), from below: UnsafeMutablePointer<Double>,
        to target: UnsafeMutablePointer<Double>
    ) {
        typealias Half = SIMD8<Double>
        let (lanes, middle) = (HarmonicRotation.lanes, HarmonicRotation.middle)
        let scale = UnsafeRawPointer(scales + l * lanes)
        let (low, high) = (scale.loadUnaligned(as: Half.self), scale.loadUnaligned(fromByteOffset: 64, as: Half.self))
        let edge = 1 / prc_sqrt(Double(2 * l * (2 * l - 1)))
        for row in 0..<(2 * l + 1) {
            let index = l * l + row
            var (first, last) = (0.0, 0.0)
            var (left, right) = (Half(repeating: 0), Half(repeating: 0))
            for place in 0..<termCounts[index] {
                let term = terms[5 * index + place]
                let source = below + term.row * lanes
                let axis = (term.axis == 0 ? own.0 : term.axis == 1 ? own.1 : own.2) * term.factor
                let raw = UnsafeRawPointer(source)
                left += axis.y * raw.loadUnaligned(as: Half.self)
                right += axis.y * raw.loadUnaligned(fromByteOffset: 64, as: Half.self)
                // In the first and the last column (m′ = −l and m′ = l) P has two products; see table 2 of the paper.
                let (a, b) = (source[middle - l + 1], source[middle + l - 1])
                first += axis.z * a + axis.x * b
                last += axis.z * b - axis.x * a
            }
            let out = target + row * lanes
            UnsafeMutableRawPointer(out).storeBytes(of: left * low, as: Half.self)
            UnsafeMutableRawPointer(out).storeBytes(of: right * high, toByteOffset: 64, as: Half.self)
            out[middle - l] = first * edge
            out[middle + l] = last * edge
        }
    }

    /// Returns the nonzero addends of u·U, v·V and w·W in row m of degree l, without the factors of the column in u, v
    /// and w.
    private static func addends(_ l: Int, _ m: Int) -> [Term] {
        let size = abs(m)
        let u = Double((l + m) * (l - m)).squareRoot()
        let v = 0.5 * Double((m == 0 ? 2 : 1) * (l + size - 1) * (l + size)).squareRoot() * (m == 0 ? -1 : 1)
        let w = m == 0 ? 0 : -0.5 * Double((l - size - 1) * (l - size)).squareRoot()
        // P(i; l; m) of the paper: row i of the rotation's own matrix, with row m of the degree below.
        func p(_ factor: Double, _ i: Int, _ m: Int) -> Term { Term(factor: factor, axis: i + 1, row: m + l - 1) }
        var list: [Term] = [p(u, 0, m)]
        let root = 2.0.squareRoot()
        if m == 0 {
            list += [p(v, 1, 1), p(v, -1, -1)]
        } else if m > 0 {
            list += [p(m == 1 ? v * root : v, 1, m - 1), p(m == 1 ? 0 : -v, -1, 1 - m)]
            list += [p(w, 1, m + 1), p(w, -1, -m - 1)]
        } else {
            list += [p(m == -1 ? 0 : v, 1, m + 1), p(m == -1 ? v * root : v, -1, -m - 1)]
            list += [p(w, 1, m - 1), p(-w, -1, 1 - m)]
        }
        return list.filter { $0.factor != 0 }
    }
}
