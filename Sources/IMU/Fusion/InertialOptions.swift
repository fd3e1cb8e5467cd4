/// Weights of the sensors in an `InertialFilter`. The defaults suit any IMU and motion, a hand's and a head's; filters
/// whose orientations are subtracted from each other must have the same options.
package struct InertialOptions: Hashable, Sendable {
    /// Seconds over which the inclination follows the accelerometer (second-order Butterworth). Longer: less affected
    /// by lasting acceleration; shorter: quicker correction of the gyroscope's errors.
    package var inclinationTime = 3.0
    /// Whether the heading follows the magnetometer (`InertialSample.field`): x of the world then points east and y
    /// north.
    package var usesField = false
    /// Seconds over which the heading follows the magnetometer once the bias is known; before that it is quicker.
    package var headingTime = 60.0
    /// Deviations from the place's field, strength as a fraction and dip in radians, that double the variance of the
    /// field's heading.
    package var placeStrength = 0.02
    package var placeDip = 1.5 * Double.pi / 180
    /// Whether scale and misalignment of the gyroscope are estimated from gravity, besides its bias. This halves the
    /// heading error of an IMU that is turned about every axis.
    package var learnsScale = true
    /// Expected scale error of the gyroscope, one standard deviation, as a fraction.
    package var scaleDeviation = 0.01
    /// Expected misalignment of the gyroscope's axes, one standard deviation, radians.
    package var misalignmentDeviation = 0.005
    /// Expected bias of the accelerometer, one standard deviation of each axis, m/s² (0.2: 20 mg).
    package var forceBiasDeviation = 0.2
    /// Wander of the gyroscope's bias: standard deviation after one second, rad/s (growing with the root of time). The
    /// default is 0.01°/s in 100 s.
    package var biasWander = 0.001 * Double.pi / 180
    /// Largest expected bias, rad/s: a steady rate about the vertical above it is a turn, however long it lasts, unless
    /// the bias about the other axes is as large (see `VerticalGate`). Data sheets of IMUs worn on heads state 0.5 to
    /// 3°/s; a larger bias becomes visible once the gyroscope has rested on another side.
    package var largestBias = 2.9 * Double.pi / 180
    /// Sway of hands and heads that keep their place: their speed as white noise, m/s·√s.
    package var sway = 0.02
    /// Addition to the sway by motion, seconds times the RMS acceleration.
    package var swayOfMotion = 0.05
    /// Addition to the sway by speed, seconds^½ times the acceleration integrated over five seconds.
    package var swayOfSpeed = 0.7
    /// Seconds over which innovations are averaged (see `Misfit`).
    package var misfitWindow = 2.0
    /// Seconds over which the misfit is followed.
    package var misfitMemory = 10.0
    /// Random walk of the frame's tilt and heading for each unit of misfit above 1, rad/√s.
    package var misfitTurning = 0.6 * Double.pi / 180
    /// Greatest deviation of the rate from its mean over half a second at rest, rad/s.
    package var restRate = 2 * Double.pi / 180
    /// Greatest deviation of the specific force from its mean over half a second at rest, m/s².
    package var restForce = 0.5
    /// Seconds of stillness until rest is detected.
    package var restTime = 1.5
    /// Seconds of stillness from which on it shows the gyroscope's bias, weighed by its measured sway; `restTime` and
    /// more: rests alone show it. For a single IMU: of two on one vehicle a brief rest may be the vehicle's turn.
    package var briefRestTime = 0.5
    /// Deviation of the mean rate of a still body after one second, rad/s·√s (falling with the root of time), besides
    /// the gyroscope's noise and the sway.
    package var restNoise = 0.05 * Double.pi / 180
    /// Sway of a still body: standard deviation of its angle, radians, besides the sway that is measured; and seconds
    /// by which the measured sway of its rate is multiplied to obtain that of its angle.
    package var restSway = 0.02 * Double.pi / 180
    package var restSwayTime = 2.6
    /// Expected field of an attached magnet at the start, one standard deviation of each axis, as a fraction of the
    /// earth's field.
    package var magnetStrength = 1.0
    /// Scatter of the earth's field from place to place, one standard deviation of each axis, as a fraction of it; and
    /// the time over which it decorrelates for a moving body, seconds.
    package var fieldScatter = 0.04
    package var fieldTime = 0.5
    /// Misfit above which an attached magnet may have come or gone.
    package var magnetMisfit = 5.0
    /// Least field of an attached magnet, as a fraction of the earth's field; less is a remainder of the calibration.
    package var magnetThreshold = 0.1
    /// Least ratio of the mean square residual without a magnet to that with one, and the seconds of turns over which
    /// both are averaged.
    package var magnetGain = 4.0
    package var magnetEvidence = 10.0
    /// Seconds of turns below which the required ratio is greater, in inverse proportion.
    package var magnetProof = 4.0
    /// Greatest uncertainty of the heading at which a magnet is subtracted, radians.
    package var magnetCertainty = 15 * Double.pi / 180
    /// Greatest difference of the heading from that of the field without the magnet, radians; a larger one counts as
    /// the magnet's effect, and the heading turns back over `magnetTurning` seconds.
    package var magnetAgreement = 3 * Double.pi / 180
    package var magnetTurning = 1.0
    /// Longest gap between two samples, seconds, that is bridged with the mean of the rates at its ends; after a longer
    /// one the inclination is measured anew, and heading, bias and scale are kept.
    package var longestGap = 0.5

    /// Creates the defaults.
    package init() {}
}
