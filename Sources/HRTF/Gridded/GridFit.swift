import Geometry
import Glibc

extension RingGrid {
    /// Moves a grid's points so that places read as they are known to be, each in turn by the least that does it.
    ///
    /// Where something was measured it is known best, and there what was interpolated bends most: lines between the
    /// points of a grid miss it by more than elsewhere. `rows` has `width` values for each point, `values` as many for
    /// each place; the places are read as the player reads them (`RingGridLookup.cell`). Rows of a linear system taken
    /// one by one: S. Kaczmarz, Bull. Int. Acad. Polon. Sci. A (1937). O(places · width).
    func fit(_ rows: inout [Float], width: Int, to values: [Float], at places: [Direction<Head>]) {
        let lookup = RingGridLookup(self)
        defer { lookup.deallocate() }
        rows.withUnsafeMutableBufferPointer { rows in
            values.withUnsafeBufferPointer { values in
                // Neighbouring places share points, and move each other a little.
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

    /// How often all places are gone through.
    private static let sweeps = 2

    /// The points of a cell, each once: two are the same at a pole.
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
