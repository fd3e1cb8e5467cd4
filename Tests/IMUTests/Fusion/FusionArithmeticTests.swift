import CRealtime
import Geometry
import SeededRandom
import Testing

@testable import IMU

/// The short forms of the filter's arithmetic give the results of the long forms.
@Suite struct FusionArithmeticTests {
    @Test func `Series of small angles are sine and cosine to the last digit`() {
        for number in -1000...1000 {
            let angle = SmallAngle.limit * Double(number) / 1000
            #expect(abs(SmallAngle.cosine(angle * angle) - prc_cos(angle)) < 3e-16)
            #expect(abs(angle * SmallAngle.sinc(angle * angle) - prc_sin(angle)) <= 3e-16 * abs(angle))
        }
    }

    @Test(arguments: [1e-9, 1e-3, 0.2, 0.2499, 0.2501, 1, 3])
    func `A small turn is the turn by its rotation vector`(_ angle: Double) {
        var dice = SplitMix(state: 11)
        for _ in 0..<100 {
            let v = Self.vector(&dice)
            let turn = v * (angle / dot(v, v).squareRoot())
            #expect(Quaternion(smallTurn: turn).angle(to: Quaternion(rotationVector: turn)) < 1e-15)
        }
    }

    @Test func `A turn about the vertical follows its angle through steps and jumps`() {
        var (north, angle, dice) = (VerticalTurn(), 0.0, SplitMix(state: 12))
        let start = Quaternion(yaw: 0.3, pitch: 0.7, roll: -0.4)
        for number in 0..<3000 {
            angle += number % 500 == 0 ? 2.5 : 0.02 * (dice.unit() - 0.4)
            if angle > .pi { angle -= 2 * .pi }
            let expected = Quaternion(rotationVector: SIMD3(0, 0, angle)) * start
            #expect(north.turning(start, by: angle).angle(to: expected) < 2e-15)
        }
    }

    @Test func `Leveling turns a force up about a level axis, from straight down too`() {
        var dice = SplitMix(state: 13)
        for _ in 0..<1000 {
            let force = 9.81 * Self.vector(&dice)
            let turn = Quaternion(leveling: force)
            let up = turn.rotate(force) / dot(force, force).squareRoot()
            #expect(abs(up.x) < 1e-14 && abs(up.y) < 1e-14 && up.z > 0)
            #expect(turn.z == 0)
        }
        for down in [SIMD3(0.0, 0, -9.81), SIMD3(1e-12, 0, -9.81)] {
            #expect(Quaternion(leveling: down).rotate(down).z > 9.8)
        }
        #expect(Quaternion(leveling: SIMD3(0, 0, 0)) == .identity)
    }

    @Test func `A value of the step is computed again where the step changes, not where times are rounded`() {
        var (value, count) = (StepDependent(0.0), 0)
        func at(_ step: Double) -> Double {
            value.at(step) {
                count += 1
                return $0
            }
        }
        for number in 0..<10_000 { _ = at(Double(number + 1) / 286 - Double(number) / 286) }
        #expect(count == 1)
        #expect(at(0.0035) == 0.0035)
        #expect(at(0.0035 * (1 + 1e-8)) == 0.0035 * (1 + 1e-8))
        #expect(count == 3)
    }

    @Test func `A covariance is carried as by both products of the transition`() {
        var dice = SplitMix(state: 14)
        func errors() -> GyroscopeErrorVector {
            GyroscopeErrorVector(a: SIMD4(Self.vector(&dice), 1), b: SIMD4(Self.vector(&dice), 2), c: SIMD4(1, 2, 3, 4))
        }
        var matrix = StateMatrix()
        for row in 0..<StateVector.count {
            for column in 0...row {
                matrix[row, column] = dice.unit()
                matrix[column, row] = matrix[row, column]
            }
        }
        let step = StateTransition(
            turn: (errors(), errors(), errors()), fall: -0.4, arm: (Self.vector(&dice), Self.vector(&dice)))
        var (carried, expected) = (matrix, matrix)
        carried.carrySymmetric(step)
        expected.carryRows(step)
        expected.carryColumns(step)
        for row in 0..<StateVector.count {
            for column in 0..<StateVector.count {
                #expect(abs(carried[row, column] - expected[row, column]) < 1e-12)
            }
        }
    }

    @Test func `The uncertain share of the errors is a product of matrices for bias and error matrix apart`() {
        var dice = SplitMix(state: 15)
        var covariance = StateCovariance()
        for row in 0..<StateVector.count {
            for column in 0..<StateVector.count { covariance[row, column] = dice.unit() }
        }
        let d = GyroscopeErrorVector(a: SIMD4(1, 2, 3, 4), b: SIMD4(5, 6, 7, 8), c: SIMD4(9, 10, 11, 12))
        let inverse = GyroscopeErrorVector(a: SIMD4(3, 1, 2, 1), b: SIMD4(2, 3, 1, 2), c: SIMD4(3, 1, 2, 3))
        func share(_ states: Range<Int>, power: Int) -> [Double] {
            var x = states.map { d[$0] }
            for _ in 0..<power {
                x = states.map { row in
                    zip(states, x).map { covariance[$0, row] * $1 * inverse[$0] }.reduce(0, +)
                }
            }
            return x
        }
        let expected = share(0..<3, power: 1) + share(3..<12, power: 4)
        let unknown = covariance.unknown(d, inverse: inverse, power: 4)
        for state in 0..<12 { #expect(abs(unknown[state] / expected[state] - 1) < 1e-12) }
    }

    private static func vector(_ dice: inout SplitMix) -> SIMD3<Double> {
        SIMD3(dice.unit() - 0.5, dice.unit() - 0.5, dice.unit() - 0.5)
    }
}
