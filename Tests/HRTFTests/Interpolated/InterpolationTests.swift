import Geometry
import Glibc
import Testing

@testable import HRTF

/// Each part of the interpolation on its own.
@Suite struct InterpolationTests {
    static let kernels: [InterpolationKernel] =
        InterpolationChoice.candidates.compactMap { kind in
            if case .kernel(let kernel) = kind { kernel } else { nil }
        } + [.matern(.half, length: 2, smoothing: 1e-3)]

    /// Returns directions on a spiral, no two of which mirror each other.
    private func spiral(_ count: Int) -> [Direction<Head>] {
        (0..<count).map { k in
            let z = 1 - (2 * Double(k) + 1) / Double(count)
            let angle = Double(k) * .pi * (1 + 5.0.squareRoot())
            let radius = (1 - z * z).squareRoot()
            return Direction(unit: SIMD3(radius * cos(angle), radius * sin(angle), z))
        }
    }

    @Test(arguments: kernels) func everyKernelFollowsASmoothFunction(_ kernel: InterpolationKernel) {
        let data = spiral(600)
        let spline = SphericalSpline(data)
        let f = { (u: SIMD3<Double>) -> Double in 3 + u.x * u.y + 0.5 * u.z * u.z + 0.3 * u.y }
        var worst = 0.0
        for target in RingGrid(stepDegrees: 23).directions(in: Head.self) {
            let (indices, weights) = spline.weights(kernel, around: target.unit, for: [target])
            #expect(abs(weights[0].reduce(0, +) - 1) < 1e-8)
            let value = zip(indices, weights[0]).reduce(0) { $0 + $1.1 * f(data[$1.0].unit) }
            worst = max(worst, abs(value - f(target.unit)))
        }
        // Rough kernels and smoothing have the larger errors; errors are 0.0001 to 0.0022.
        #expect(worst < 0.003, "\(kernel): \(worst)")
    }

    @Test func theOtherEarHelpsWhereItKnowsMore() {
        // The right ear's function mirrors the left's, plus a constant.
        let left = { (u: SIMD3<Double>) -> Double in sin(3 * u.x) + cos(4 * u.y + u.z) }
        let data = spiral(40)
        let spline = SphericalSpline(data)
        let mirror = SIMD3(1.0, -1, 1)
        var errors = (alone: 0.0, both: 0.0)
        for target in RingGrid(stepDegrees: 19).directions(in: Head.self) {
            func error(_ likeness: Double) -> Double {
                let (rows, weights) = spline.rows(
                    .matern(.threeHalves, length: 1, smoothing: 1e-4), likeness: likeness, around: target.unit,
                    for: [target])
                let values = rows.map { row in
                    let unit = data[row / 2].unit
                    return row % 2 == 0 ? left(unit) : left(unit * mirror) + 7
                }
                return abs(zip(values, weights[0]).reduce(0) { $0 + $1.0 * $1.1 } - left(target.unit))
            }
            errors.alone += error(0)
            errors.both += error(0.97)
        }
        #expect(errors.both < 0.6 * errors.alone, "\(errors)")
    }

    @Test func theOtherEarSaysNothingNewOfASymmetricSet() {
        let half = Array(spiral(80).filter { $0.unit.y > 0.05 }.prefix(30))
        let spline = SphericalSpline(half + half.map { Direction(unit: $0.unit * SIMD3(1, -1, 1)) })
        let target = Direction<Head>(azimuthDegrees: 41, elevationDegrees: 12)
        let (rows, weights) = spline.rows(
            .matern(.threeHalves, length: 1, smoothing: 1e-9), likeness: 0.9, around: target.unit, for: [target])
        let crossed = zip(rows, weights[0]).filter { $0.0 % 2 == 1 }.map { abs($0.1) }.max() ?? 0
        let own = zip(rows, weights[0]).filter { $0.0 % 2 == 0 }.map { abs($0.1) }.max() ?? 0
        #expect(own > 0.05 && crossed < 1e-6, "\(crossed) of \(own)")
    }

    @Test func balancedPointsHalveWhatLinesMiss() {
        let grid = RingGrid(stepDegrees: 6)
        let f = { (u: SIMD3<Double>) -> Double in cos(5 * u.x) + sin(4 * u.y) * u.z }
        let values = grid.directions(in: Head.self).map { Float(f($0.unit)) }
        let balanced = grid.balanced(values, width: 1)
        let lookup = RingGridLookup(grid)
        defer { lookup.deallocate() }
        var worst = (plain: 0.0, balanced: 0.0)
        for direction in spiral(5000) {
            let unit = direction.unit
            let cell = lookup.cell(x: unit.x, y: unit.y, z: unit.z)
            func read(_ values: [Float]) -> Double {
                (0..<4).reduce(0) { $0 + cell.weights[$1] * Double(values[Int(cell.points[$1])]) }
            }
            worst.plain = max(worst.plain, abs(read(values) - f(unit)))
            worst.balanced = max(worst.balanced, abs(read(balanced) - f(unit)))
        }
        #expect(worst.balanced < 0.55 * worst.plain, "\(worst)")
        #expect(worst.plain > 0.01)
    }

    @Test func placesReadAsTheyAreKnownToBe() {
        let grid = RingGrid(stepDegrees: 6)
        // The last direction is a pole.
        let places = spiral(100) + [Direction(azimuthDegrees: 0, elevationDegrees: 90)]
        let values = places.indices.flatMap { [Float($0), 100 - Float($0 % 7)] }
        var rows = [Float](repeating: 50, count: 2 * grid.count)
        grid.fit(&rows, width: 2, to: values, at: places)
        let lookup = RingGridLookup(grid)
        defer { lookup.deallocate() }
        for (index, place) in places.enumerated() {
            let cell = lookup.cell(x: place.unit.x, y: place.unit.y, z: place.unit.z)
            for i in 0..<2 {
                let read = (0..<4).reduce(0) { $0 + cell.weights[$1] * Double(rows[2 * Int(cell.points[$1]) + i]) }
                #expect(abs(read - Double(values[2 * index + i])) < 1e-3, "\(index): \(read)")
            }
        }
    }

    @Test func sharesHoldAtTheMiddlesOfTheirRanges() {
        let shares = [0.25, 1, 0, 0.5]
        #expect(MagnitudeRanges.share(shares, at: 300) == 0)
        #expect(MagnitudeRanges.share(shares, at: 16_000) == 0.5)
        #expect(abs(MagnitudeRanges.share(shares, at: 850) - 0.25) < 0.08)
        var (before, steps) = (0.0, 0.0)
        for hertz in stride(from: 100.0, to: 20_000, by: 10) {
            let now = MagnitudeRanges.share(shares, at: hertz)
            #expect((0...1).contains(now))
            steps = max(steps, abs(now - before))
            before = now
        }
        #expect(steps < 0.01)
        #expect([300, 900, 2000, 5000, 12_000].map { MagnitudeRanges.range(of: $0) } == [0, 0, 1, 2, 3])
    }
}
