import Geometry

/// One orientation of one tracker, in our axes, at a time of the host.
package struct OrientationSample: Hashable, Sendable {
    /// Seconds of the host's monotonic clock at which the orientation held, as well as is known: the arrival, less the
    /// constant delay the user stated.
    package var time: Double
    /// Seconds of the same clock at which it was received.
    package var arrival: Double
    /// The body against the earth; its heading may have any zero.
    package var bodyToWorld: Rotation<Body, World>
    /// Angular rate in body axes, rad/s, where the tracker sends its gyroscope.
    package var rate: SIMD3<Double>?

    /// A sample; without a rate for trackers that send orientations only, without an arrival where it is the time.
    package init(
        time: Double, bodyToWorld: Rotation<Body, World>, rate: SIMD3<Double>? = nil, arrival: Double? = nil
    ) {
        self.time = time
        self.arrival = arrival ?? time
        self.bodyToWorld = bodyToWorld
        self.rate = rate
    }
}

extension OrientationSample {
    /// What a tracker that fuses by itself said; `nil` for raw measurements and events.
    package init?(_ sample: TrackerSample) {
        guard case .orientation(let bodyToWorld, let rate) = sample.motion else { return nil }
        self.init(time: sample.time, bodyToWorld: bodyToWorld, rate: rate, arrival: sample.arrival)
    }
}
