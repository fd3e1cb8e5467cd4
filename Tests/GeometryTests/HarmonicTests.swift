import Geometry
import Testing

/// Directions without symmetry: a spiral from pole to pole.
private let spiral: [Direction<Head>] = (0..<50).map {
    Direction(azimuth: Double($0) * 2.399_963, elevation: (Double($0) / 49 - 0.5) * .pi)
}

private let rotations: [Quaternion] = [
    .identity, Quaternion(yaw: 0.3, pitch: 0, roll: 0), Quaternion(yaw: 0, pitch: 1.1, roll: 0),
    Quaternion(yaw: 0, pitch: 0, roll: -2.5), Quaternion(yaw: 2.9, pitch: -0.7, roll: 0.4),
    Quaternion(yaw: -1.6, pitch: 1.5, roll: 3.1), Quaternion(yaw: .pi, pitch: 0, roll: .pi / 2),
]

@Suite struct HarmonicTests {
    @Test func theFirstSixteenAreTheKnownPolynomials() {
        for direction in spiral {
            let (x, y, z) = (direction.unit.x, direction.unit.y, direction.unit.z)
            let known = [
                1, y, z, x, 3.0.squareRoot() * x * y, 3.0.squareRoot() * y * z, (3 * z * z - 1) / 2,
                3.0.squareRoot() * x * z, 3.0.squareRoot() / 2 * (x * x - y * y),
                (5.0 / 8).squareRoot() * y * (3 * x * x - y * y), 15.0.squareRoot() * x * y * z,
                (3.0 / 8).squareRoot() * y * (5 * z * z - 1), z * (5 * z * z - 3) / 2,
                (3.0 / 8).squareRoot() * x * (5 * z * z - 1), 15.0.squareRoot() / 2 * z * (x * x - y * y),
                (5.0 / 8).squareRoot() * x * (x * x - 3 * y * y),
            ]
            for (value, exact) in zip(SphericalHarmonics.values(order: 3, direction), known) {
                #expect(abs(value - exact) < 1e-12)
            }
        }
    }

    @Test func harmonicsAreOrthogonalOverTheSphere() {
        let grid = GaussGrid(exactTo: 14)
        let count = SphericalHarmonics.count(order: 7)
        var products = [Double](repeating: 0, count: count * count)
        for (direction, weight) in zip(grid.directions(in: Head.self), grid.weights) {
            let y = SphericalHarmonics.values(order: 7, direction)
            for a in 0..<count { for b in 0..<count { products[a * count + b] += weight * y[a] * y[b] } }
        }
        for a in 0..<count {
            let degree = SphericalHarmonics.degree(ofIndex: a)
            #expect(degree * degree <= a && a < (degree + 1) * (degree + 1))
            for b in 0..<count {
                // SN3D: the mean square of degree l is 1/(2l + 1).
                let exact = a == b ? 1 / Double(2 * degree + 1) : 0
                #expect(abs(products[a * count + b] - exact) < 1e-12)
            }
        }
    }

    @Test(arguments: 0...7) func aTurnedPlaneWaveIsThePlaneWaveOfTheTurnedDirection(_ order: Int) {
        var rotation = HarmonicRotation(order: order)
        var matrices = [Float](repeating: .nan, count: HarmonicRotation.elementCount(order: order))
        for turn in rotations {
            rotation.turn(turn, to: &matrices)
            for direction in spiral {
                let before = SphericalHarmonics.values(order: order, direction)
                let after = SphericalHarmonics.values(order: order, Direction<Head>(unit: turn.rotate(direction.unit)))
                for l in 0...order {
                    let width = 2 * l + 1
                    let matrix = HarmonicRotation.offset(ofDegree: l)
                    for row in 0..<width {
                        let sum = (0..<width).reduce(0.0) {
                            $0 + Double(matrices[matrix + row * width + $1]) * before[l * l + $1]
                        }
                        #expect(abs(sum - after[l * l + row]) < 2e-6)
                    }
                }
            }
        }
    }

    @Test func rotationsOfSoundFieldsAreOrthogonal() {
        var rotation = HarmonicRotation(order: 7)
        var matrices = [Float](repeating: 0, count: HarmonicRotation.elementCount(order: 7))
        #expect(matrices.count == 680)
        for turn in rotations {
            rotation.turn(turn, to: &matrices)
            for l in 0...7 {
                let (width, matrix) = (2 * l + 1, HarmonicRotation.offset(ofDegree: l))
                for a in 0..<width {
                    for b in 0..<width {
                        let dot = (0..<width).reduce(0.0) {
                            $0 + Double(matrices[matrix + a * width + $1]) * Double(matrices[matrix + b * width + $1])
                        }
                        #expect(abs(dot - (a == b ? 1 : 0)) < 2e-6)
                    }
                }
            }
        }
    }

    @Test func theGaussGridIntegratesPolynomialsExactly() {
        let grid = GaussGrid(exactTo: 20)
        #expect(abs(grid.weights.reduce(0, +) - 1) < 1e-13)
        for power in 0...10 {
            // The mean of z^2p over the sphere is 1/(2p + 1), and so is that of y^2p.
            var (z, y) = (0.0, 0.0)
            for (direction, weight) in zip(grid.directions(in: Head.self), grid.weights) {
                var (a, b) = (weight, weight)
                for _ in 0..<(2 * power) { (a, b) = (a * direction.unit.z, b * direction.unit.y) }
                z += a
                y += b
            }
            #expect(abs(z - 1 / Double(2 * power + 1)) < 1e-13)
            #expect(abs(y - 1 / Double(2 * power + 1)) < 1e-13)
        }
    }
}
