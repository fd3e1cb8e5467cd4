/// A measurement or event with a time of the host's clock, which `StreamClock` assigns to a `TrackerReading`.
package struct TrackerSample: Hashable, Sendable {
    /// Estimated time of the measurement, seconds of the host's monotonic clock.
    package var time: Double
    /// Time of reception, seconds of the same clock.
    package var arrival: Double
    /// The measurement or event: in body axes (after mounting and inversion), or for a calibration in the tracker's own
    /// axes.
    package var motion: TrackerMotion

    /// Creates a sample. `arrival` is nil if it equals the time.
    package init(time: Double, _ motion: TrackerMotion, arrival: Double? = nil) {
        self.time = time
        self.arrival = arrival ?? time
        self.motion = motion
    }
}
