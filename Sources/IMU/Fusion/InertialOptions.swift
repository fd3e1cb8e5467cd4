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
    /// Whether scale and misalignment of the gyroscope are learnt from gravity, besides its bias. It halves the heading
    /// error of an IMU that is turned about every axis; while the IMU rides in a vehicle nothing is learnt of them.
    package var learnsScale = true
    /// Scale error of the gyroscope to be expected, one standard deviation, as a fraction.
    package var scaleDeviation = 0.01
    /// Misalignment of the gyroscope's axes to be expected, one standard deviation, radians.
    package var misalignmentDeviation = 0.005
    /// Bias of the accelerometer to be expected, one standard deviation of each axis, m/s² (0.2: 20 mg).
    package var forceBiasDeviation = 0.2
    /// How the gyroscope's bias wanders: standard deviation after one second, rad/s (growing with the root of time).
    /// The default is 0.02°/s in 100 s.
    package var biasWander = 0.002 * Double.pi / 180
    /// At rest the rate stays this near to its mean over half a second, rad/s.
    package var restRate = 2 * Double.pi / 180
    /// At rest the specific force stays this near to its mean over half a second, m/s².
    package var restForce = 0.5
    /// Seconds of stillness before it counts as rest.
    package var restTime = 1.5
    /// The longest gap between two samples, seconds, that is bridged with the mean of the rates at its ends; after a
    /// longer one the inclination is measured anew, and heading, bias and scale are kept.
    package var longestGap = 0.5

    /// The defaults.
    package init() {}
}
