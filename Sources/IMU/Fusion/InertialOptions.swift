/// How an `InertialFilter` weighs its sensors. The defaults suit any IMU and motion, a hand's and a head's; filters
/// whose orientations are subtracted from each other must have the same options.
package struct InertialOptions: Hashable, Sendable {
    /// Seconds over which the inclination follows the accelerometer (second-order Butterworth). Longer: less moved by
    /// acceleration that lasts; shorter: sooner right after errors of the gyroscope.
    package var inclinationTime = 3.0
    /// Whether the heading follows the magnetometer (`InertialSample.field`): x of the world then points east and y
    /// north.
    package var usesField = false
    /// Seconds over which the heading follows the magnetometer once the bias is known; it does so sooner before.
    package var headingTime = 60.0
    /// A field whose strength differs from the place's by this fraction, or whose dip by this angle (radians), says
    /// half as much of the heading.
    package var placeStrength = 0.02
    package var placeDip = 1.5 * Double.pi / 180
    /// Whether scale and misalignment of the gyroscope are learnt from gravity, besides its bias. It halves the heading
    /// error of an IMU that is turned about every axis.
    package var learnsScale = true
    /// Scale error of the gyroscope to be expected, one standard deviation, as a fraction.
    package var scaleDeviation = 0.01
    /// Misalignment of the gyroscope's axes to be expected, one standard deviation, radians.
    package var misalignmentDeviation = 0.005
    /// Bias of the accelerometer to be expected, one standard deviation of each axis, m/s² (0.2: 20 mg).
    package var forceBiasDeviation = 0.2
    /// How the gyroscope's bias wanders: standard deviation after one second, rad/s (growing with the root of time).
    /// The default is 0.01°/s in 100 s.
    package var biasWander = 0.001 * Double.pi / 180
    /// The largest bias to be expected, rad/s: a steady rate about the vertical from here on is a turn, however long it
    /// lasts, unless the bias about the other axes is as large (see `VerticalGate`). Data sheets of what is worn on
    /// heads say 0.5 to 3°/s; a gyroscope that has more shows it once it has rested on another side.
    package var largestBias = 2.9 * Double.pi / 180
    /// What hands and heads sway by when they keep their place: the summed speed as white noise, m/s·√s.
    package var sway = 0.02
    /// What motion adds to that, seconds of its root mean square acceleration.
    package var swayOfMotion = 0.05
    /// And seconds^½ of the speed that the acceleration has summed up to in five seconds.
    package var swayOfSpeed = 0.7
    /// Seconds over which measurements that do not fit are averaged (see `Misfit`).
    package var misfitWindow = 2.0
    /// Seconds over which the misfit is followed.
    package var misfitMemory = 10.0
    /// By what the frame is taken to tilt and turn at random for each unit of misfit above 1, rad/√s.
    package var misfitTurning = 0.6 * Double.pi / 180
    /// At rest the rate stays this near to its mean over half a second, rad/s.
    package var restRate = 2 * Double.pi / 180
    /// At rest the specific force stays this near to its mean over half a second, m/s².
    package var restForce = 0.5
    /// Seconds of stillness before it counts as rest.
    package var restTime = 1.5
    /// The field of an attached magnet to be expected at the start, one standard deviation of each axis, as a fraction
    /// of the earth's.
    package var magnetStrength = 1.0
    /// By what the earth's field differs from place to place, one standard deviation of each axis, as a fraction of it;
    /// and the seconds over which a moving body finds it so.
    package var fieldScatter = 0.04
    package var fieldTime = 0.5
    /// From so much misfit on an attached magnet may have come or gone.
    package var magnetMisfit = 5.0
    /// From here on a magnet is attached, as a fraction of the earth's field; less is what calibrations leave.
    package var magnetThreshold = 0.1
    /// By what factor the mean square of what is left must be less with a magnet than without, and over how many
    /// seconds of turns it is averaged.
    package var magnetGain = 4.0
    package var magnetEvidence = 10.0
    /// Until a body has turned for so many seconds, more is asked for, in proportion.
    package var magnetProof = 4.0
    /// How well the heading must be known before a magnet is taken off, radians.
    package var magnetCertainty = 15 * Double.pi / 180
    /// A heading that is off by more from that of the field without the magnet was turned away by it, radians; it goes
    /// back over so many seconds.
    package var magnetAgreement = 3 * Double.pi / 180
    package var magnetTurning = 1.0
    /// The longest gap between two samples, seconds, that is bridged with the mean of the rates at its ends; after a
    /// longer one the inclination is measured anew, and heading, bias and scale are kept.
    package var longestGap = 0.5

    /// The defaults.
    package init() {}
}
