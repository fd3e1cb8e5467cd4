import Geometry
import Glibc

extension RingGrid {
    /// Changes the values at a grid's points so that interpolation reproduces known values at some places. One place
    /// after another is fitted by the least change.
    ///
    /// The values at measured directions are the most accurate. The interpolated curve also bends most at these
    /// directions, so that the errors of linear interpolation on the grid are largest at them. `rows` has `width`
    /// values for each point, `values` has as many for each place. Places are interpolated as in `RingGridLookup.cell`,
    /// which also serves playback. Method: S. Kaczmarz, Bull. Int. Acad. Polon. Sci. A (1937), which solves one row of
    /// a linear system at a time. O(places · width).
    func fit(_ rows: inout [Float], width: Int, to values: [Float], at places: [Direction<Head>]) {
        let lookup = RingGridLookup(self)
        defer { lookup.deallocate() }
        rows.withUnsafeMutableBufferPointer { rows in
            values.withUnsafeBufferPointer { values in
                // Neighbouring places share points, so each fit changes the previous ones a little.
                for _ in 0..<RingGrid.sweeps {
                    for (index, place) in places.enumerated() {
                        let corners = corners(of: lookup.cell(x: place.unit.x, y: place.unit.y, z: place.unit.z))
                        let square = corners.reduce(0) { $0 + $1.weight * $1.weight }
                        for i in 0..<width {
                            var missed = values[index * width + i]
                            for (point, weight) in corners { missed -= weight * rows[point * width + i] }
                            for (point, weight) in corners { rows[point * width + i] += missed * weight / square }
                        }
                    }
                }
            }
        }
    }

    /// Number of passes over all places.
    private static let sweeps = 2

    /// Returns the points of a cell, each once; at a pole, two corners are the same point.
    private func corners(of cell: GridCell) -> [(point: Int, weight: Float)] {
        var corners: [(point: Int, weight: Float)] = []
        for corner in 0..<4 {
            let (point, weight) = (Int(cell.points[corner]), Float(cell.weights[corner]))
            if let same = corners.firstIndex(where: { $0.point == point }) {
                corners[same].weight += weight
            } else {
                corners.append((point, weight))
            }
        }
        return corners
    }
}
