import CRealtime
import Geometry

/// Direction of up in the frame that the gyroscope keeps fixed: the specific force, low-passed in that frame.
///
/// In that frame gravity is constant while all other acceleration averages out (Laidig & Seel 2023, section 3.2). The
/// low-pass is a second-order Butterworth. It is solved exactly for a force that is constant over each step, so that
/// steps may be uneven. During the first time constant the result is the mean of the values so far. The low-pass is
/// linear and time-invariant. So two filters on one vehicle have the same error, and the difference of their
/// orientations is free of the vehicle's acceleration.
struct InclinationCorrection: Sendable {
    /// Rotation from the fixed frame to the world.
    private(set) var correction: Quaternion = .identity
    private let naturalRate: Double
    private let time: Double
    private var force = SIMD3<Double>(0, 0, 0)
    private var slope = SIMD3<Double>(0, 0, 0)
    private var age = 0.0
    private var coefficients = StepDependent(Coefficients())

    /// Coefficients of the exact solution over one step.
    private struct Coefficients: Sendable {
        /// Factors by which the offset and the slope before the step contribute to the value and to the slope after it.
        var offsetToValue = 0.0
        var slopeToValue = 0.0
        var offsetToSlope = 0.0
        var slopeToSlope = 0.0

        init() {}

        init(_ a: Double, step: Double) {
            let decay = prc_exp(-a * step)
            let (cosine, sine) = (decay * prc_cos(a * step), decay * prc_sin(a * step))
            (offsetToValue, slopeToValue) = (cosine + sine, sine / a)
            (offsetToSlope, slopeToSlope) = (-2 * a * sine, cosine - sine)
        }
    }

    /// Creates a correction with a time constant of `time` seconds (cutoff √2/time rad/s, VQF's definition).
    init(time: Double) {
        self.time = time
        naturalRate = 2.0.squareRoot() / time
    }

    /// Restarts with a specific force in the fixed frame.
    mutating func begin(_ force: SIMD3<Double>) {
        self.force = force
        slope = .zero
        age = 0
        level()
    }

    /// Filters a specific force in the fixed frame, `step` seconds after the last one.
    mutating func follow(_ input: SIMD3<Double>, for step: Double) {
        age += step
        if age < time {
            force += (step / age) * (input - force)
        } else {
            // Offset x and slope v of x″ + 2αx′ + 2α²x = 0 after one step, with α = ω/√2 (damping 1/√2).
            let a = naturalRate / 2.0.squareRoot()
            let c = coefficients.at(step) { Coefficients(a, step: $0) }
            let offset = force - input
            force = input + c.offsetToValue * offset + c.slopeToValue * slope
            slope = c.offsetToSlope * offset + c.slopeToSlope * slope
        }
        level()
    }

    private mutating func level() {
        let length = dot(force, force).squareRoot()
        correction = (Quaternion(towardsLevel: correction.rotate(force), length: length) * correction).normalized
    }
}
