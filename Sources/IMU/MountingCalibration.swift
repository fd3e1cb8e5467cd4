import Gate
import Geometry
import Glibc

/// Determines the mounting of a tracker from four movements of its wearer: hold still, look left, look up, tilt right.
///
/// At rest a raw IMU measures its bias, and every tracker measures the vertical. Each movement then shows one axis of
/// the head in the tracker's own axes: the axis of the largest turn away from the start. One rotation is fitted to the
/// three axes and the vertical (Wahba's problem; Horn, J. Opt. Soc. Am. A 4, 1987, eq. 25 f.). The vertical has three
/// times the weight of an axis, because it does not depend on the movements. A bad fit is refused with a reason. The
/// type is a pure value; it accepts samples at any rate. O(1) per sample.
package struct MountingCalibration: Sendable {
    /// Movement of the wearer, in this order. Each begins and ends with the head to the front.
    package enum Step: Int, Sendable, CaseIterable {
        case still
        case left
        case up
        case right

        /// Instruction for the wearer.
        package var instruction: String {
            switch self {
            case .still: "look straight ahead and hold still"
            case .left: "turn the head to the left, and back"
            case .up: "look up to the ceiling, and back"
            case .right: "tilt the head to the right shoulder, and back"
            }
        }

        /// Axis of the head about which the movement turns (right-hand rule): R = Rz(yaw)·Ry(−pitch)·Rx(roll).
        fileprivate var axis: SIMD3<Double> {
            switch self {
            case .still, .left: SIMD3(0, 0, 1)
            case .up: SIMD3(0, -1, 0)
            case .right: SIMD3(1, 0, 0)
            }
        }
    }

    /// Result of a calibration.
    package struct Result: Hashable, Sendable {
        /// Rotation from the tracker's own axes to those of the head.
        package var mounting: Rotation<Tracker, Body>
        /// Bias of the gyroscope in the tracker's axes; `nil` for trackers that send orientations.
        package var bias: GyroscopeBias?
        /// RMS of the angles by which the three movements and the vertical miss their axes after the fit, radians.
        package var misfit: Double
        /// Angle of the head's turn in each movement, radians.
        package var turns: [Step: Double]
    }

    /// Reason for a calibration without a result.
    package enum Refusal: Error, Hashable, Sendable {
        /// Fewer than ten samples arrived during a step.
        case silent(Step)
        /// The tracker moved while it should have been still.
        case restless
        /// The head turned by less than 15°; the turn in radians.
        case small(Step, Double)
        /// The head turned by more than 120°, so that the axis is uncertain; the turn in radians.
        case large(Step, Double)
        /// Two movements turned about nearly the same axis.
        case alike(Step, Step)
        /// The movements fit no rotation: one was in the opposite direction, or the tracker's axes are mirrored. The
        /// misfit in radians.
        case mirrored(Double)
        /// The misfit is too large; radians.
        case sloppy(Double)
    }

    /// Range of usable turns: 15° to 120°.
    private static let usable = (15 * Double.pi / 180)...(120 * Double.pi / 180)
    /// Limits of rest: a turn within 3° for orientations, or rates within 2°/s RMS of their mean for a raw IMU. A
    /// constant bias does not count as a turn. The noise of an MPU-6050 is 0.3°/s.
    private static let stillness = (turn: 3 * Double.pi / 180, rate: 2 * Double.pi / 180)
    /// Greatest misfit, radians RMS.
    private static let fitting = 20 * Double.pi / 180
    /// Least angle between the axes of two movements, radians.
    private static let difference = 45 * Double.pi / 180
    private static let fewest = 10

    /// Sums over the samples of a step.
    private struct Heard: Sendable {
        var count = 0
        var start: Quaternion?
        var turn = Quaternion.identity
        /// Rotation vector of the largest turn from the start, tracker's axes.
        var largest = SIMD3<Double>(0, 0, 0)
        var rates = 0
        var meanRate = SIMD3<Double>(0, 0, 0)
        var squares = SIMD3<Double>(0, 0, 0)
        var up = SIMD3<Double>(0, 0, 0)
        var time: Double?
    }

    private var steps = [Heard](repeating: Heard(), count: Step.allCases.count)

    /// Begins without samples.
    package init() {}

    /// Adds a sample to a step; its motion is in the tracker's own axes.
    package mutating func take(_ sample: TrackerSample, during step: Step) {
        var heard = steps[step.rawValue]
        switch sample.motion {
        case .orientation(let rotation, _):
            let start = heard.start ?? rotation.quaternion
            heard.start = start
            heard.turn = start.conjugate * rotation.quaternion
            heard.up += rotation.quaternion.conjugate.rotate(SIMD3(0, 0, 1))
        case .inertial(let inertial):
            let bias = step == .still ? SIMD3(0, 0, 0) : steps[Step.still.rawValue].meanRate
            let seconds = heard.time.map { min(0.1, max(0, sample.time - $0)) } ?? 0
            // During the rest the bias is unknown. The assumed 0 is wrong by about 0.5°/s, which is small against a
            // movement.
            heard.turn = (heard.turn * Quaternion(rotationVector: (inertial.rate - bias) * seconds)).normalized
            heard.rates += 1
            let deviation = inertial.rate - heard.meanRate
            heard.meanRate += deviation / Double(heard.rates)
            heard.squares += deviation * (inertial.rate - heard.meanRate)
            heard.up += inertial.force
            heard.time = sample.time
        case .recentre, .discontinuity: return
        }
        heard.count += 1
        let vector = heard.turn.rotationVector
        if Self.length(vector) > Self.length(heard.largest) { heard.largest = vector }
        steps[step.rawValue] = heard
    }

    /// Returns the largest turn of the tracker in a step so far, away from its start; radians.
    package func turn(in step: Step) -> Double { Self.length(steps[step.rawValue].largest) }

    /// Forgets a step, so that it can be repeated.
    package mutating func repeated(_ step: Step) { steps[step.rawValue] = Heard() }

    /// Returns the reason why a finished step cannot be used; nil if it can be used.
    package func refusal(of step: Step) -> Refusal? {
        let heard = steps[step.rawValue]
        guard heard.count >= Self.fewest else { return .silent(step) }
        if step == .still {
            let isStill =
                heard.rates > 0
                ? Self.length(deviation(of: heard)) < Self.stillness.rate
                : Self.length(heard.largest) < Self.stillness.turn
            return isStill ? nil : .restless
        }
        let turned = Self.length(heard.largest)
        if turned < Self.usable.lowerBound { return .small(step, turned) }
        return turned > Self.usable.upperBound ? .large(step, turned) : nil
    }

    /// Returns the mounting and the bias after all steps, or the reason why there is no result.
    package func result() -> Swift.Result<Result, Refusal> {
        for step in Step.allCases { if let refusal = refusal(of: step) { return .failure(refusal) } }
        let moves = Step.allCases.filter { $0 != .still }
        let axes = moves.map { Self.unit(steps[$0.rawValue].largest) }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] where abs(Self.dot(axes[i], axes[j])) > cos(Self.difference) {
            return .failure(.alike(moves[i], moves[j]))
        }
        let up = Self.unit(steps[Step.still.rawValue].up)
        // A left-handed triad results from one movement in the wrong direction, or from mirrored axes.
        let handedness = Self.dot(Self.cross(axes[2], -axes[1]), axes[0])
        let pairs =
            zip(axes, moves.map(\.axis)).map { (seen: $0, meant: $1, weight: 1.0) } + [(up, SIMD3(0, 0, 1), 3.0)]
        let q = Self.rotation(fitting: pairs)
        let misses = zip(axes, moves).map { axis, step in
            acos(max(-1, min(1, Self.dot(q.rotate(axis), step.axis))))
        }
        let tilt = acos(max(-1, min(1, Self.dot(q.rotate(up), SIMD3(0, 0, 1)))))
        let misfit = ((misses.map { $0 * $0 }.reduce(0, +) + tilt * tilt) / 4).squareRoot()
        if handedness < 0 || misses.contains(where: { $0 > .pi / 2 }) { return .failure(.mirrored(misfit)) }
        guard misfit <= Self.fitting else { return .failure(.sloppy(misfit)) }
        let turns = Dictionary(uniqueKeysWithValues: moves.map { ($0, Self.length(steps[$0.rawValue].largest)) })
        return .success(Result(mounting: Rotation(q), bias: bias, misfit: misfit, turns: turns))
    }

    /// Mean rate at rest, with the standard deviation of this mean, at least 0.02°/s because no head is quite still.
    /// Nil with fewer than ten rates.
    package var bias: GyroscopeBias? {
        let still = steps[Step.still.rawValue]
        guard still.rates >= Self.fewest else { return nil }
        let floor = 0.02 * Double.pi / 180
        let spread = deviation(of: still) / Double(still.rates).squareRoot()
        return GyroscopeBias(
            value: still.meanRate, deviation: (spread * spread + SIMD3(repeating: floor * floor)).squareRoot())
    }

    private func deviation(of heard: Heard) -> SIMD3<Double> {
        (heard.squares / Double(max(1, heard.rates - 1))).squareRoot()
    }

    /// Returns the rotation that maps the directions `seen` to `meant` with the least weighted squared error. As a
    /// quaternion, the rotation is the eigenvector with the greatest eigenvalue of Horn's symmetric 4×4 matrix. The
    /// matrix is shifted to be positive; the eigenvector is found by power iteration.
    private static func rotation(
        fitting pairs: [(seen: SIMD3<Double>, meant: SIMD3<Double>, weight: Double)]
    ) -> Quaternion {
        var s = [[Double]](repeating: [0, 0, 0], count: 3)
        var total = 0.0
        for pair in pairs {
            total += pair.weight
            for i in 0..<3 { for j in 0..<3 { s[i][j] += pair.weight * pair.seen[i] * pair.meant[j] } }
        }
        let n: [SIMD4<Double>] = [
            SIMD4(s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]),
            SIMD4(s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]),
            SIMD4(s[2][0] - s[0][2], s[0][1] + s[1][0], -s[0][0] + s[1][1] - s[2][2], s[1][2] + s[2][1]),
            SIMD4(s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], -s[0][0] - s[1][1] + s[2][2]),
        ]
        // Every start that is not orthogonal to the eigenvector converges. A start of round numbers could be
        // orthogonal.
        var v = SIMD4(0.53, 0.29, 0.71, 0.37)
        for _ in 0..<2000 {
            var next = v * total
            for row in 0..<4 { next[row] += (n[row] * v).sum() }
            v = next / (next * next).sum().squareRoot()
        }
        return Quaternion(w: v.x, x: v.y, y: v.z, z: v.w).normalized
    }

    private static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
    private static func length(_ a: SIMD3<Double>) -> Double { dot(a, a).squareRoot() }
    private static func unit(_ a: SIMD3<Double>) -> SIMD3<Double> { a / max(length(a), 1e-12) }
    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}

extension MountingCalibration.Refusal: CustomStringConvertible {
    /// The fault, the movement concerned, and the remedy.
    package var description: String {
        func degrees(_ radians: Double) -> String { "\(Int(clamping: radians * 180 / .pi, to: -360...360))°" }
        return switch self {
        case .silent(let step):
            "fewer than ten samples arrived while you were asked to \(step.instruction); is the tracker switched on?"
        case .restless: "the tracker moved while it should have been still; hold still, on something that does not move"
        case .small(let step, let turn):
            "the head turned by only \(degrees(turn)) when asked to \(step.instruction); turn by 30° or more"
        case .large(let step, let turn):
            "the head turned by \(degrees(turn)) when asked to \(step.instruction); that is more than a neck can, so the "
                + "tracker slipped or its data are wrong"
        case .alike(let one, let other):
            "two movements turned about the same axis (\(one.instruction); \(other.instruction)); turn "
                + "about a different axis in each"
        case .mirrored:
            "the movements contradict each other: one was in the opposite direction (left, up and right of the "
                + "listener), or the tracker's axes are mirrored, which invert= can correct"
        case .sloppy(let misfit): "the movements fit together badly (\(degrees(misfit)) off); make them one at a time"
        }
    }
}
