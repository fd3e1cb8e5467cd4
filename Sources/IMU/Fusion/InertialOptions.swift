/// How an `InertialFilter` weighs its sensors. The defaults suit every IMU and motion; filters whose orientations are
/// subtracted from each other must have the same options.
package struct InertialOptions: Hashable, Sendable {
    /// Seconds over which the inclination follows the accelerometer. Longer: less moved by acceleration that lasts;
    /// shorter: sooner right after errors of the gyroscope.
    package var inclinationTime = 3.0
    /// Whether the heading follows the magnetometer (`InertialSample.field`): x then points east and y north.
    package var usesField = false
    /// Seconds over which the heading follows the magnetometer.
    package var headingTime = 9.0
    /// The longest gap between two samples, seconds, that is bridged with the mean of the rates at its ends; after a longer
    /// one the inclination is measured anew, and the heading and the bias are kept.
    package var longestGap = 0.5

    /// The defaults.
    package init() {}
}
