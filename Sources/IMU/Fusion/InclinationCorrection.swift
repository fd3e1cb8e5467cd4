import CRealtime
import Geometry

/// Direction of up in the frame that the gyroscope keeps still: the specific force, low-passed in that frame.
///
/// In that frame gravity is constant while all other acceleration averages out (Laidig & Seel 2023, section 3.2). The
/// low-pass is a second-order Butterworth, solved exactly for a force that is constant over each step, so that uneven
/// steps are allowed; over its first time constant it is the mean of the values so far. It is linear and
/// time-invariant: two filters on one vehicle have the same error, and the difference of their orientations is free of
/// the vehicle's acceleration.
struct InclinationCorrection: Sendable {
    /// Rotation from the frame kept still to the world.
    private(set) var correction: Quaternion = .identity
    private let naturalRate: Double
    private let time: Double
    private var force = SIMD3<Double>(0, 0, 0)
    private var slope = SIMD3<Double>(0, 0, 0)
    private var age = 0.0
    private var coefficients = Coefficients()

    /// Coefficients of the exact solution over one step; computed again only where the step changes.
    private struct Coefficients: Sendable {
        var step = -1.0
        /// Remainders of an offset and of a slope after the step, in the value and in the slope.
        var offsetToValue = 0.0
        var slopeToValue = 0.0
        var offsetToSlope = 0.0
        var slopeToSlope = 0.0
    }

    /// Creates a correction with a time constant of `time` seconds (cutoff √2/time rad/s, VQF's definition).
    init(time: Double) {
        self.time = time
        naturalRate = 2.0.squareRoot() / time
    }

    /// Begins anew with a specific force in the frame kept still.
    mutating func begin(_ force: SIMD3<Double>) {
        self.force = force
        slope = .zero
        age = 0
        level()
    }

    /// Follows a specific force in the frame kept still, `step` seconds after the last.
    mutating func follow(_ input: SIMD3<Double>, for step: Double) {
        age += step
        if age < time {
            force += (step / age) * (input - force)
        } else {
            // Offset x and slope v of x″ + 2αx′ + 2α²x = 0 after one step, with α = ω/√2 (damping 1/√2).
            if step != coefficients.step { prepare(step) }
            let c = coefficients
            let offset = force - input
            force = input + c.offsetToValue * offset + c.slopeToValue * slope
            slope = c.offsetToSlope * offset + c.slopeToSlope * slope
        }
        level()
    }

    private mutating func prepare(_ step: Double) {
        let a = naturalRate / 2.0.squareRoot()
        let decay = prc_exp(-a * step)
        let (cosine, sine) = (decay * prc_cos(a * step), decay * prc_sin(a * step))
        coefficients = Coefficients(
            step: step, offsetToValue: cosine + sine, slopeToValue: sine / a, offsetToSlope: -2 * a * sine,
            slopeToSlope: cosine - sine)
    }

    private mutating func level() {
        correction = (Quaternion(leveling: correction.rotate(force)) * correction).normalized
    }
}
