/// Turns sound fields: for a rotation the matrices that carry the real spherical harmonics of a direction to those of the
/// turned direction, one for each degree (degrees do not mix).
///
/// Row r and column c of degree l belong to the indices r − l and c − l; the matrices are orthogonal and the same for
/// SN3D and N3D. Computed degree by degree from the rotation's own matrix (Ivanic & Ruedenberg, "Rotation matrices for
/// real spherical harmonics. Direct determination by recursion", J. Phys. Chem. 100 (1996), table 1 and eqs. 8.1–8.4 with
/// the corrections in 102 (1998)). Their factors u, v and w are products of one that depends on the row and one that
/// depends on the column, so each row is a sum of at most five rows of the degree below, which is how it is computed
/// here. Made off the audio thread, used on one.
package struct HarmonicRotation: ~Copyable {
    /// The highest degree.
    package let order: Int
    /// One addend of a row: a row of the degree below times a factor times an element of the rotation's own matrix.
    private struct Term {
        var factor: Double
        /// Row of the rotation's own matrix.
        var axis: Int
        /// Row of the degree below.
        var row: Int
    }
    /// `[row of all degrees from 2 on][5]`; unused terms have the factor 0.
    private let terms: UnsafeMutablePointer<Term>
    private let termCounts: UnsafeMutablePointer<Int>
    /// `[column of all degrees from 2 on]`: 1/√((l + m)(l − m)), at the ends 1/√(2l(2l − 1)).
    private let columns: UnsafeMutablePointer<Double>
    /// Matrices of all degrees in double precision, as in `turn`'s result.
    private let work: UnsafeMutablePointer<Double>

    /// A rotation of sound fields of an order, 0…7.
    package init(order: Int) {
        self.order = max(0, min(SphericalHarmonics.maximumOrder, order))
        let rows = SphericalHarmonics.count(order: self.order)
        terms = .allocate(capacity: 5 * rows)
        terms.initialize(repeating: Term(factor: 0, axis: 0, row: 0), count: 5 * rows)
        termCounts = .allocate(capacity: rows)
        termCounts.initialize(repeating: 0, count: rows)
        columns = .allocate(capacity: rows)
        columns.initialize(repeating: 1, count: rows)
        let size = HarmonicRotation.offset(ofDegree: self.order + 1)
        work = .allocate(capacity: size)
        work.initialize(repeating: 0, count: size)
        guard self.order >= 2 else { return }
        for l in 2...self.order {
            for m in -l...l {
                let index = l * l + l + m
                let edge = Double(2 * l * (2 * l - 1))
                columns[index] = 1 / (abs(m) < l ? Double((l + m) * (l - m)) : edge).squareRoot()
                let list = HarmonicRotation.addends(l, m)
                termCounts[index] = list.count
                for (place, term) in list.enumerated() { terms[5 * index + place] = term }
            }
        }
    }

    deinit {
        terms.deallocate()
        termCounts.deallocate()
        columns.deallocate()
        work.deallocate()
    }

    /// Where a degree's matrix, of 2l + 1 rows and columns, begins among all: l(2l − 1)(2l + 1)/3.
    @_noLocks
    package static func offset(ofDegree l: Int) -> Int { l * (2 * l - 1) * (2 * l + 1) / 3 }

    /// Numbers in all matrices of an order: 84 at order 3, 680 at order 7.
    @_noLocks
    package static func elementCount(order: Int) -> Int { offset(ofDegree: order + 1) }

    /// Writes the matrices D of a rotation, Y(rotated v) = D·Y(v), all degrees one after another, each row by row.
    ///
    /// Safe on the audio thread; `elementCount` numbers; about 0.1 µs at order 3 and 1 µs at order 7.
    @_noLocks
    package mutating func turn(_ rotation: Quaternion, to matrices: UnsafeMutablePointer<Float>) {
        work[0] = 1
        if order >= 1 { firstDegree(rotation) }
        if order >= 2 { for l in 2...order { degree(l) } }
        for i in 0..<HarmonicRotation.elementCount(order: order) { matrices[i] = Float(work[i]) }
    }

    /// The harmonics of degree 1 are y, z and x: their matrix is the rotation's own in that order.
    @_noLocks
    private func firstDegree(_ rotation: Quaternion) {
        // Columns: the images of y, z and x.
        for column in 0..<3 {
            let axis = SIMD3<Double>(column == 2 ? 1 : 0, column == 0 ? 1 : 0, column == 1 ? 1 : 0)
            let image = rotation.rotate(axis)
            work[1 + column] = image.y
            work[4 + column] = image.z
            work[7 + column] = image.x
        }
    }

    /// One degree from the one below it.
    @_noLocks
    private func degree(_ l: Int) {
        let width = 2 * l + 1
        let inner = 2 * l - 1
        let below = work + HarmonicRotation.offset(ofDegree: l - 1)
        let target = work + HarmonicRotation.offset(ofDegree: l)
        let scales = columns + l * l
        for row in 0..<width {
            let index = l * l + row
            let out = target + row * width
            var (first, last) = (0.0, 0.0)
            for column in 0..<width { out[column] = 0 }
            for place in 0..<termCounts[index] {
                let term = terms[5 * index + place]
                let source = below + term.row * inner
                let own = work + 1 + 3 * term.axis
                let middle = term.factor * own[1]
                for column in 0..<inner { out[column + 1] += middle * source[column] }
                // P of their table at m′ = ∓l.
                let (y, x) = (term.factor * own[0], term.factor * own[2])
                first += x * source[0] + y * source[inner - 1]
                last += x * source[inner - 1] - y * source[0]
            }
            out[0] = first
            out[width - 1] = last
            for column in 0..<width { out[column] *= scales[column] }
        }
    }

    /// The addends u·U, v·V and w·W of row m of degree l without the column's share of u, v and w.
    private static func addends(_ l: Int, _ m: Int) -> [Term] {
        let size = abs(m)
        let u = Double((l + m) * (l - m)).squareRoot()
        let v = 0.5 * Double((m == 0 ? 2 : 1) * (l + size - 1) * (l + size)).squareRoot() * (m == 0 ? -1 : 1)
        let w = m == 0 ? 0 : -0.5 * Double((l - size - 1) * (l - size)).squareRoot()
        // Their P(i; l; m): row i of the rotation's own matrix with row m of the degree below.
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
