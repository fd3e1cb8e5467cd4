import Geometry

/// One orientation of one tracker, in the [axes of Proscenium](frames.md), at a time of the host.
package struct OrientationSample: Hashable, Sendable {
    /// Estimated time of the orientation, seconds of the host's monotonic clock. It comes from `StreamClock`, less the
    /// constant latency that the user stated.
    package var time: Double
    /// Time of reception, seconds of the same clock.
    package var arrival: Double
    /// Rotation from the body to the earth; the zero of its heading is arbitrary.
    package var bodyToWorld: Rotation<Body, World>
    /// Angular rate in body axes, rad/s; nil if the tracker does not send its gyroscope.
    package var rate: SIMD3<Double>?

    /// Creates a sample. `rate` is nil if the tracker sends none; `arrival` is nil if it equals the time.
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
    /// Converts the sample of a tracker that sends orientations; `nil` for raw measurements and events.
    package init?(_ sample: TrackerSample) {
        guard case .orientation(let bodyToWorld, let rate) = sample.motion else { return nil }
        self.init(time: sample.time, bodyToWorld: bodyToWorld, rate: rate, arrival: sample.arrival)
    }
}
