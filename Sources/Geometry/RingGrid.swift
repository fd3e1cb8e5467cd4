import CRealtime
import Glibc
import Signal

/// Nearly uniform grid on the sphere, made of rings at equal steps of elevation from the lower to the upper pole. The
/// points of a ring are equally spaced, about as far apart as the rings.
///
/// Points are numbered ring by ring from the lower pole. Within a ring they are counter-clockwise from the front. A
/// grid of step s has about 41253/s² points (s in degrees): 10 356 for 2°.
package struct RingGrid: Hashable, Sendable {
    /// Usual angle between the rings of the grid of rendered responses, degrees. Very long responses have a coarser
    /// grid.
    package static let usualStep = 2.0
    /// Angle between the rings for HRTF sets that are sums of spherical harmonics and are played unprocessed, degrees.
    /// Linear interpolation between the points is then exact enough.
    package static let fineStep = 1.0

    /// Number of rings, including both poles: 180°/step + 1.
    package let ringCount: Int
    /// Angle between neighbouring rings, radians.
    package let step: Double
    /// `[ring]`: index of the ring's first point.
    package let first: [Int]
    /// `[ring]`: number of points on the ring; 1 at the poles.
    package let counts: [Int]

    /// Makes a grid whose rings are at most `stepDegrees` (0.5…90) apart.
    package init(stepDegrees: Double) {
        let intervals = max(2, Int((180 / max(0.5, min(90, stepDegrees)) - 1e-9).rounded(.up)))
        ringCount = intervals + 1
        step = .pi / Double(intervals)
        var first: [Int] = []
        var counts: [Int] = []
        var next = 0
        for ring in 0...intervals {
            let width = sin(Double(ring) * step)
            // At least six points, so that the cells around a pole stay compact.
            let count = ring == 0 || ring == intervals ? 1 : max(6, Int((2 * .pi * width / step - 1e-9).rounded(.up)))
            first.append(next)
            counts.append(count)
            next += count
        }
        self.first = first
        self.counts = counts
    }

    /// Number of points.
    package var count: Int { first[ringCount - 1] + counts[ringCount - 1] }

    /// Returns all points in order.
    package func directions<Frame>(in frame: Frame.Type) -> [Direction<Frame>] {
        (0..<ringCount).flatMap { ring in
            (0..<counts[ring]).map { place in
                Direction<Frame>(
                    azimuth: 2 * .pi * Double(place) / Double(counts[ring]),
                    elevation: Double(ring) * step - .pi / 2)
            }
        }
    }

    /// Returns whether these directions are the grid's points in the grid's order, within 1e-6 rad.
    package func has<Frame>(_ directions: [Direction<Frame>]) -> Bool {
        guard directions.count == count else { return false }
        return zip(directions, self.directions(in: Frame.self)).allSatisfy { a, b in
            let apart = a.unit - b.unit
            return (apart * apart).sum() < 1e-12
        }
    }

    /// Solid angle of each point, in order. The sum is 4π.
    package var solidAngles: [Double] {
        (0..<ringCount).flatMap { ring in
            // The zone between the midlines to the neighbouring rings.
            let lower = max(0, (Double(ring) - 0.5) * step)
            let upper = min(.pi, (Double(ring) + 0.5) * step)
            let zone = 2 * .pi * (cos(lower) - cos(upper))
            return [Double](repeating: zone / Double(counts[ring]), count: counts[ring])
        }
    }
}

/// Four points of a grid around a direction. Their weights sum to 1 and vary continuously with the direction.
package struct GridCell: BitwiseCopyable, Sendable {
    /// Indices of the points: two on the ring below, then two on the ring above. Some of them may be the same point.
    package var points: SIMD4<Int32>
    /// Weights of the points, each 0…1.
    package var weights: SIMD4<Double>

    /// Makes a cell.
    @_noLocks
    package init(points: SIMD4<Int32>, weights: SIMD4<Double>) {
        self.points = points
        self.weights = weights
    }
}

/// Copy of a ring grid for the audio thread, in memory without reference counts. It is valid until `deallocate()`.
package struct RingGridLookup: BitwiseCopyable, Sendable {
    /// `[ring]`: index of the ring's first point, and number of points on the ring.
    private let rings: ConstantMemory<SIMD2<Int32>>
    private let ringCount: Int32
    private let inverseStep: Double

    /// Copies the grid's numbers. Free the copy with `deallocate()`.
    package init(_ grid: RingGrid) {
        rings = ConstantMemory(zip(grid.first, grid.counts).map { SIMD2(Int32($0), Int32($1)) })
        ringCount = Int32(grid.ringCount)
        inverseStep = 1 / grid.step
    }

    /// Frees the memory. No copy of this value may be used afterwards.
    package func deallocate() { rings.deallocate() }

    /// Returns the angle of (x, y) from the x axis, radians, −π…π, within 2e-8 rad. The polynomial is Abramowitz &
    /// Stegun, Handbook of Mathematical Functions, 4.4.49, applied to the ratio of the smaller to the larger
    /// coordinate. The polynomial takes a tenth of the time of the library's arc tangent. The error of 1e-6° is
    /// negligible in a grid of 2°.
    @_noLocks
    private static func angle(_ y: Double, _ x: Double) -> Double {
        let (across, along) = (abs(y), abs(x))
        let larger = max(across, along)
        guard larger > 0 else { return 0 }
        let t = min(across, along) / larger
        let s = t * t
        var p = 0.002_866_225_7 * s - 0.016_165_736_7
        p = p * s + 0.042_909_613_8
        p = p * s - 0.075_289_640_0
        p = p * s + 0.106_562_639_3
        p = p * s - 0.142_088_994_4
        p = p * s + 0.199_935_508_5
        p = p * s - 0.333_331_452_8
        var angle = t * (p * s + 1)
        if across > along { angle = .pi / 2 - angle }
        if x < 0 { angle = .pi - angle }
        return y < 0 ? -angle : angle
    }

    /// Returns the cell around the direction of the vector (x, y, z), if its length is within 1e-10…1e10. For any other
    /// vector returns the cell around the front. Weights are linear in azimuth along rings, and linear in elevation
    /// between rings. Takes about 15 ns. May be called on any thread.
    @_noLocks
    package func cell(x: Double, y: Double, z: Double) -> GridCell {
        var (x, y, z) = (x, y, z)
        let squared = x * x + y * y + z * z
        if !(squared > 1e-20 && squared < 1e20) { (x, y, z) = (1, 0, 0) }
        let elevation = RingGridLookup.angle(z, prc_sqrt(x * x + y * y))
        var turn = RingGridLookup.angle(y, x) * (0.5 / .pi)
        if turn < 0 { turn += 1 }
        let height = (elevation + .pi / 2) * inverseStep
        let lower = max(0, min(ringCount - 2, Int32(height)))
        let up = max(0, min(1, height - Double(lower)))
        let below = rings[Int(lower)]
        let above = rings[Int(lower) + 1]
        let alongBelow = turn * Double(below.y)
        let alongAbove = turn * Double(above.y)
        let placeBelow = min(Int32(alongBelow), below.y - 1)
        let placeAbove = min(Int32(alongAbove), above.y - 1)
        let b = max(0, min(1, alongBelow - Double(placeBelow)))
        let a = max(0, min(1, alongAbove - Double(placeAbove)))
        return GridCell(
            points: SIMD4(
                below.x + placeBelow, below.x + (placeBelow + 1 == below.y ? 0 : placeBelow + 1),
                above.x + placeAbove, above.x + (placeAbove + 1 == above.y ? 0 : placeAbove + 1)),
            weights: SIMD4((1 - up) * (1 - b), (1 - up) * b, up * (1 - a), up * a))
    }
}
