import Geometry
import IMU

/// Estimate of one tracker's orientation at the time of its newest sample.
struct TrackerEstimate: Sendable {
    /// Filter of a tracker that sends orientations. Either this filter or `fused` is set.
    private var smoothed: PoseFilter?
    /// Filter of a tracker that sends raw measurements.
    private var fused: InertialFilter?
    private var smoothedVerticalRate = 0.0
    /// Change of the bias about the vertical caused by the newest sample, rad/s, and the variances of this bias before
    /// and after the change, (rad/s)². `nil` without a change.
    private(set) var revision: (change: Double, before: Double, after: Double)?

    /// Creates the estimate of a tracker that sends orientations.
    init(_ filter: PoseFilter) { smoothed = filter }

    /// Creates the estimate of a tracker that sends raw measurements.
    init(_ filter: InertialFilter) { fused = filter }

    /// Time of the newest sample, seconds; -∞ before the first.
    var time: Double { smoothed?.time ?? fused?.time ?? -.infinity }

    /// Body to world.
    var pose: Quaternion {
        if let smoothed { return smoothed.pose }
        return fused?.bodyToWorld ?? .identity
    }

    /// Angular rate, rad/s, body axes.
    var rate: SIMD3<Double> { smoothed?.rate ?? fused?.rate ?? SIMD3(0, 0, 0) }

    /// Rate about the world's vertical, averaged over some tenths of a second, rad/s.
    var verticalRate: Double { fused?.verticalRate ?? smoothedVerticalRate }

    /// Whether the tracker sends raw measurements.
    var isInertial: Bool { fused != nil }

    /// Whether the heading can be compared with that of another tracker. True for orientations, and for a raw IMU whose
    /// magnetometer is used.
    var hasSharedHeading: Bool { fused.map { $0.options.usesField } ?? true }

    /// Noise of fused orientations, radians RMS per axis; `nil` for raw measurements.
    var noiseRadians: Double? { smoothed?.noiseRadians }

    /// Estimate of the gyroscope's bias; `nil` for fused orientations.
    var bias: GyroscopeBias? { fused?.bias }

    /// Whether the filter considers the tracker to be at rest; `nil` for fused orientations.
    var isAtRest: Bool? { fused?.isAtRest }

    /// Drift of the heading, degrees per minute (one standard deviation); 0 for fused orientations.
    var headingDrift: Double { fused?.headingDrift ?? 0 }

    /// Variance of the heading, rad²; 0 for fused orientations, which do not state one.
    var headingVariance: Double { fused.map { $0.headingDeviation * $0.headingDeviation } ?? 0 }

    /// Gap after which a raw IMU's heading may be wrong; nil if there was none since the last `acceptGap`.
    var gap: InertialFilter.Gap? { fused?.gap }

    /// Clears the gap.
    mutating func acceptGap() { fused?.acceptGap() }

    /// Corrects both estimates by the acceleration of a vehicle that carries both IMUs. Does nothing unless both are
    /// raw IMUs.
    mutating func ride(_ ride: inout CommonRide, device: inout TrackerEstimate) {
        guard fused != nil, device.fused != nil else { return }
        ride.follow(&fused!, &device.fused!)
    }

    /// Filters the next fused orientation.
    mutating func take(_ sample: OrientationSample) {
        guard let last = smoothed?.time else { return }
        smoothed?.take(sample)
        let step = sample.time - last
        guard step > 0, let smoothed else { return }
        smoothedVerticalRate +=
            min(1, step / (0.25 + step)) * (smoothed.pose.rotate(smoothed.rate).z - smoothedVerticalRate)
    }

    /// Moves the pose to a fused orientation and keeps the rate: the tracker's own reference has jumped.
    mutating func jump(to sample: OrientationSample) { smoothed?.jump(to: sample) }

    /// Filters the next raw measurement; see `InertialFilter.take`. The filter is changed in place, so that its arrays
    /// are not copied.
    mutating func take(_ sample: InertialSample, at time: Double, commonVerticalRate: Double?) {
        guard let before = fused?.bias else { return }
        revision = nil
        fused?.take(sample, at: time, commonVerticalRate: commonVerticalRate)
        guard let fused, before != fused.bias else { return }
        let (up, after) = (fused.bodyToWorld.conjugate.rotate(SIMD3(0, 0, 1)), fused.bias)
        revision = (
            (up * (after.value - before.value)).sum(), Self.variance(before, along: up), Self.variance(after, along: up)
        )
    }

    /// Variance of the bias about the vertical, (rad/s)²; 0 for fused orientations.
    var verticalVariance: Double {
        guard let fused else { return 0 }
        return Self.variance(fused.bias, along: fused.bodyToWorld.conjugate.rotate(SIMD3(0, 0, 1)))
    }

    private static func variance(_ bias: GyroscopeBias, along axis: SIMD3<Double>) -> Double {
        let part = axis * bias.deviation
        return (part * part).sum()
    }
}
