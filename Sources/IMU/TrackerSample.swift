/// A reading at a time of the host: what a `StreamClock` makes of a `TrackerReading`.
package struct TrackerSample: Hashable, Sendable {
    /// Seconds of the host's monotonic clock at which it was measured, as well as is known.
    package var time: Double
    /// Seconds of the same clock at which it was received.
    package var arrival: Double
    /// What was said, in body axes (mounting and inversion are applied).
    package var motion: TrackerMotion

    /// A sample; without an arrival where it is the time.
    package init(time: Double, _ motion: TrackerMotion, arrival: Double? = nil) {
        self.time = time
        self.arrival = arrival ?? time
        self.motion = motion
    }
}
