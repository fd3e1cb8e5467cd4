import Geometry
import IMU

/// What is known of one tracker's orientation at the time of its newest sample.
struct TrackerEstimate: Sendable {
    /// The tracker fuses; its orientations are smoothed. One of both is there.
    private var smoothed: PoseFilter?
    /// The tracker measures; we fuse.
    private var fused: InertialFilter?
    private var smoothedVerticalRate = 0.0
    /// What the newest sample has changed of the bias about the vertical, rad/s, and its variances before and after;
    /// `nil` where nothing.
    private(set) var revision: (change: Double, before: Double, after: Double)?

    /// From a tracker that fuses.
    init(_ filter: PoseFilter) { smoothed = filter }

    /// From a tracker that only measures.
    init(_ filter: InertialFilter) { fused = filter }

    /// Seconds; -∞ before the first sample.
    var time: Double { smoothed?.time ?? fused?.time ?? -.infinity }

    /// Body to world.
    var pose: Quaternion {
        if let smoothed { return smoothed.pose }
        return fused?.bodyToWorld ?? .identity
    }

    /// Angular rate, rad/s, body axes.
    var rate: SIMD3<Double> { smoothed?.rate ?? fused?.rate ?? SIMD3(0, 0, 0) }

    /// Rate about the world's vertical over some tenths of a second, rad/s.
    var verticalRate: Double { fused?.verticalRate ?? smoothedVerticalRate }

    /// Whether the tracker sends raw measurements.
    var isInertial: Bool { fused != nil }

    /// Whether its heading means something to another tracker's: a fused orientation, or a compass.
    var hasSharedHeading: Bool { fused.map { $0.options.usesField } ?? true }

    /// The noise of fused orientations, radians RMS per axis; `nil` for raw measurements.
    var noiseRadians: Double? { smoothed?.noiseRadians }

    /// What is known of the gyroscope's bias; `nil` for fused orientations.
    var bias: GyroscopeBias? { fused?.bias }

    /// Whether it is taken to be at rest; `nil` for fused orientations.
    var isAtRest: Bool? { fused?.isAtRest }

    /// Degrees per minute by which the heading may drift (one standard deviation); 0 for fused orientations.
    var headingDrift: Double { fused?.headingDrift ?? 0 }

    /// Variance of the heading, rad²; 0 for fused orientations, which do not tell.
    var headingVariance: Double { fused.map { $0.headingDeviation * $0.headingDeviation } ?? 0 }

    /// Follows what a vehicle that carries this and another IMU shows of both; nothing where either is fused.
    mutating func ride(_ ride: inout CommonRide, device: inout TrackerEstimate) {
        guard fused != nil, device.fused != nil else { return }
        ride.follow(&fused!, &device.fused!)
    }

    /// Takes the next fused orientation.
    mutating func take(_ sample: OrientationSample) {
        guard let last = smoothed?.time else { return }
        smoothed?.take(sample)
        let step = sample.time - last
        guard step > 0, let smoothed else { return }
        smoothedVerticalRate +=
            min(1, step / (0.25 + step)) * (smoothed.pose.rotate(smoothed.rate).z - smoothedVerticalRate)
    }

    /// Goes on at its rate from where a fused orientation is: the tracker's own reference has jumped.
    mutating func jump(to sample: OrientationSample) { smoothed?.jump(to: sample) }

    /// Takes the next raw measurement; see `InertialFilter.take`. The filter is changed in place: it may hold arrays.
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
