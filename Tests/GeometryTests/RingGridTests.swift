import Foundation
import Geometry
import Testing

@Suite struct RingGridTests {
    @Test func cellsInterpolateAzimuthAndElevationLinearly() {
        let grid = RingGrid(stepDegrees: 2)
        let lookup = RingGridLookup(grid)
        defer { lookup.deallocate() }
        let points = grid.directions(in: Head.self)
        #expect(points.count == 10_356)
        for index in 0..<2000 {
            // Golden-angle spiral: directions all over the sphere, none on a grid point.
            let z = 0.98 * (1 - 2 * (Double(index) + 0.5) / 2000)
            let azimuth = (Double(index) * 137.507_764).truncatingRemainder(dividingBy: 360)
            let direction = Direction<Head>(azimuthDegrees: azimuth, elevationDegrees: asin(z) * 180 / .pi)
            let cell = lookup.cell(x: direction.unit.x, y: direction.unit.y, z: direction.unit.z)
            #expect(abs(cell.weights.sum() - 1) < 1e-12)
            var (east, north) = (0.0, 0.0)
            for corner in 0..<4 {
                let at = points[Int(cell.points[corner])]
                // Azimuth against the direction's own, so that it does not wrap.
                let apart = atan2(at.unit.y, at.unit.x) - atan2(direction.unit.y, direction.unit.x)
                east += cell.weights[corner] * atan2(sin(apart), cos(apart))
                north += cell.weights[corner] * asin(at.unit.z)
            }
            #expect(abs(east) < 1e-7 && abs(north - asin(direction.unit.z)) < 1e-7)
        }
    }

    @Test func aGridPointIsItsOwnNeighbour() {
        let grid = RingGrid(stepDegrees: 7)
        let lookup = RingGridLookup(grid)
        defer { lookup.deallocate() }
        for (index, point) in grid.directions(in: Head.self).enumerated() {
            let cell = lookup.cell(x: point.unit.x, y: point.unit.y, z: point.unit.z)
            let own = (0..<4).filter { Int(cell.points[$0]) == index }.map { cell.weights[$0] }.reduce(0, +)
            #expect(own > 1 - 1e-5)
        }
    }
}
