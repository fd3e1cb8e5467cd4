import Geometry
import IMU

/// What is known of one tracker's orientation at the time of its newest sample.
struct TrackerEstimate: Sendable {
    /// How it is found.
    enum Source: Sendable {
        /// The tracker fuses; its orientations are smoothed.
        case orientation(PoseFilter)
        /// The tracker measures; we fuse.
        case inertial(InertialFilter, HeadingMemory)
    }

    private(set) var source: Source
    /// Rate about the world's vertical over about a quarter of a second, rad/s.
    private(set) var verticalRate = 0.0

    /// From a tracker that fuses.
    init(_ filter: PoseFilter) { source = .orientation(filter) }

    /// From a tracker that only measures.
    init(_ filter: InertialFilter) { source = .inertial(filter, HeadingMemory()) }

    /// Seconds; -∞ before the first sample.
    var time: Double {
        switch source {
        case .orientation(let filter): filter.time
        case .inertial(let filter, _): filter.time ?? -.infinity
        }
    }

    /// Body to world.
    var pose: Quaternion {
        switch source {
        case .orientation(let filter): filter.pose
        case .inertial(let filter, let memory):
            memory.heading == 0
                ? filter.bodyToWorld : Quaternion(yaw: memory.heading, pitch: 0, roll: 0) * filter.bodyToWorld
        }
    }

    /// Angular rate, rad/s, body axes.
    var rate: SIMD3<Double> {
        switch source {
        case .orientation(let filter): filter.rate
        case .inertial(let filter, _): filter.rate
        }
    }

    /// Whether the tracker sends raw measurements.
    var isInertial: Bool { if case .inertial = source { true } else { false } }

    /// Whether its heading means something to another tracker's: a fused orientation, or a compass.
    var hasSharedHeading: Bool {
        switch source {
        case .orientation: true
        case .inertial(let filter, _): filter.options.usesField
        }
    }

    /// The noise of fused orientations, radians RMS per axis; `nil` for raw measurements.
    var noiseRadians: Double? { if case .orientation(let filter) = source { filter.noiseRadians } else { nil } }

    /// What is known of the gyroscope's bias; `nil` for fused orientations.
    var bias: GyroscopeBias? { if case .inertial(let filter, _) = source { filter.bias } else { nil } }

    /// Whether it is taken to be at rest; `nil` for fused orientations.
    var isAtRest: Bool? { if case .inertial(let filter, _) = source { filter.isAtRest } else { nil } }

    /// Degrees per minute by which the heading may drift (one standard deviation); 0 for fused orientations.
    var headingDrift: Double { if case .inertial(let filter, _) = source { filter.headingDrift } else { 0 } }

    /// Takes the next fused orientation.
    mutating func take(_ sample: OrientationSample) {
        guard case .orientation(var filter) = source else { return }
        let step = sample.time - filter.time
        filter.take(sample)
        source = .orientation(filter)
        if step > 0 { follow(filter.pose.rotate(filter.rate).z, step) }
    }

    /// Takes the next raw measurement; see `InertialFilter.take`.
    mutating func take(_ sample: InertialSample, at time: Double, commonVerticalRate: Double?) {
        guard case .inertial(var filter, var memory) = source else { return }
        let (before, last) = (filter.bias, filter.time)
        filter.take(sample, at: time, commonVerticalRate: commonVerticalRate)
        if let last, time > last {
            let up = filter.bodyToWorld.conjugate.rotate(SIMD3(0, 0, 1))
            memory.take(
                up: up, step: time - last, before: before, after: filter.bias, isAtRest: filter.isAtRest)
        }
        verticalRate = filter.verticalRate
        source = .inertial(filter, memory)
    }

    private mutating func follow(_ rate: Double, _ step: Double) {
        verticalRate += min(1, step / (0.25 + step)) * (rate - verticalRate)
    }
}
