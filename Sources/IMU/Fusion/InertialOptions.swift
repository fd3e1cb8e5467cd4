/// Options of an `InertialFilter`: weights of its sensors and times. The defaults suit any IMU and the motion of hands
/// and heads. Filters whose orientations are subtracted from each other must have the same options.
package struct InertialOptions: Hashable, Sendable {
    /// Seconds over which the inclination follows the accelerometer (second-order Butterworth). A longer time reduces
    /// the effect of lasting acceleration; a shorter time corrects the gyroscope's errors sooner.
    package var inclinationTime = 3.0
    /// Whether the heading follows the magnetometer (`InertialSample.field`); x of the world then points east and y
    /// north.
    package var usesField = false
    /// Seconds over which the heading follows the magnetometer once the bias is known. Before that it follows faster.
    package var headingTime = 60.0
    /// Deviations from the local field that double the variance of the field's heading: in strength, as a fraction, and
    /// in dip, radians.
    package var placeStrength = 0.02
    package var placeDip = 0.5 * Double.pi / 180
    /// Seconds over which the learnt strength and dip of the local field follow the measured fields that count as local
    /// (`MagneticCorrection`).
    package var placeTime = 200.0
    /// Correlation time of the heading errors of the fields, seconds: their mean square times this time is the variance
    /// of the heading that a second of fields gives.
    package var fieldCorrelation = 6.0
    /// Whether the scale and misalignment of the gyroscope are estimated from gravity, in addition to its bias. This
    /// halves the heading error of an IMU that is turned about every axis.
    package var learnsScale = true
    /// Expected scale error of the gyroscope, one standard deviation, as a fraction.
    package var scaleDeviation = 0.01
    /// Expected misalignment of the gyroscope's axes, one standard deviation, radians.
    package var misalignmentDeviation = 0.005
    /// Expected bias of the accelerometer, one standard deviation of each axis, m/s² (0.2: 20 mg).
    package var forceBiasDeviation = 0.2
    /// Drift of the gyroscope's bias: standard deviation after one second, rad/s, which grows with the square root of
    /// time. The default is 0.01°/s in 100 s.
    package var biasWander = 0.001 * Double.pi / 180
    /// Largest expected bias, rad/s. A greater steady rate about the vertical is a turn, however long it lasts, unless
    /// the bias about the other axes exceeds a quarter of the rate (see `VerticalGate`). Data sheets of IMUs worn on
    /// heads state 0.5 to 3°/s. A larger bias is found after the gyroscope has rested on another side.
    package var largestBias = 2.9 * Double.pi / 180
    /// Sway of hands and heads that keep their place: density of their speed as white noise, m/s·√s.
    package var sway = 0.02
    /// Addition to the sway in motion: this time, seconds, is multiplied by the RMS acceleration.
    package var swayOfMotion = 0.05
    /// Addition to the sway by speed: this factor, √s, is multiplied by the acceleration integrated over five seconds.
    package var swayOfSpeed = 0.7
    /// Seconds over which innovations are averaged (see `Misfit`).
    package var misfitWindow = 2.0
    /// Seconds over which the misfit ratio is averaged.
    package var misfitMemory = 10.0
    /// Random walk of the frame's tilt and heading for each unit of misfit above 1, rad/√s.
    package var misfitTurning = 0.6 * Double.pi / 180
    /// Greatest deviation of the rate from its mean over half a second at rest, rad/s.
    package var restRate = 2 * Double.pi / 180
    /// Greatest deviation of the specific force from its mean over half a second at rest, m/s².
    package var restForce = 0.5
    /// Seconds of stillness until rest is detected.
    package var restTime = 1.5
    /// Seconds of stillness after which a single IMU's brief rest corrects the bias, weighted by its measured sway.
    /// With a value of at least `restTime`, brief rests do not correct the bias. Filters of two IMUs on one vehicle
    /// have such a value, because a brief rest may be the vehicle's turn.
    package var briefRestTime = 0.5
    /// Deviation of the mean rate of a still body after one second, rad/s·√s. It falls with the square root of time.
    /// Noise of the gyroscope and sway are added to it.
    package var restNoise = 0.05 * Double.pi / 180
    /// Sway of a still body. `restSway`: standard deviation of its angle, radians, in addition to the measured sway.
    /// `restSwayTime`: factor from the deviation of the measured sway of the rate to that of the angle, seconds.
    package var restSway = 0.02 * Double.pi / 180
    package var restSwayTime = 2.6
    /// Expected field of an attached magnet at the start: one standard deviation of each axis, as a fraction of the
    /// earth's field.
    package var magnetStrength = 1.0
    /// Expected offset of a calibrated magnetometer without a magnet: one standard deviation of each axis, as a
    /// fraction of the earth's field.
    package var calibrationOffset = 0.005
    /// `fieldScatter`: scatter of the earth's field from place to place, one standard deviation of each axis, as a
    /// fraction of the field. `fieldTime`: correlation time of this scatter for a moving body, seconds.
    package var fieldScatter = 0.04
    package var fieldTime = 0.5
    /// Misfit above which an attached magnet may have been added or removed.
    package var magnetMisfit = 5.0
    /// Least field of an attached magnet, as a fraction of the earth's field. A smaller one is an error of the
    /// calibration.
    package var magnetThreshold = 0.1
    /// `magnetGain`: least ratio of the mean square residual without a magnet to the one with a magnet, at which the
    /// magnet is subtracted. `magnetEvidence`: seconds of turns over which both are averaged.
    package var magnetGain = 4.0
    package var magnetEvidence = 10.0
    /// Seconds of turns below which the required ratio is greater, in inverse proportion to the time.
    package var magnetProof = 4.0
    /// Least ratio of the mean square residuals of the estimate without and the estimate with a magnet at the start, at
    /// which the latter is used.
    package var initialGain = 2.0
    /// `magnetStep`: least change of the field of a body that does not turn, as a fraction of the earth's field, that
    /// shows that a magnet has come or gone. `seenGain`: least ratio as `magnetGain` for such a magnet. `seenMisfit`:
    /// misfit above which such a magnet counts as not attached to the body.
    package var magnetStep = 0.04
    package var seenGain = 1.3
    package var seenMisfit = 3.0
    /// Greatest uncertainty of the heading at which a magnet is subtracted, radians.
    package var magnetCertainty = 15 * Double.pi / 180
    /// Greatest difference of the heading from the heading of the field without the magnet, radians. A larger
    /// difference counts as the magnet's effect, and the heading turns back over `magnetTurning` seconds.
    package var magnetAgreement = 3 * Double.pi / 180
    package var magnetTurning = 1.0
    /// Longest gap between two samples, seconds, that is bridged by the mean of the rates at its ends. After a longer
    /// gap the inclination is measured anew; heading, bias and scale are kept.
    package var longestGap = 0.5

    /// Creates the defaults.
    package init() {}
}
