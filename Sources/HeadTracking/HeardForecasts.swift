import Geometry

/// The forecasts published so far, each from the moment on at which it is heard: what is heard at any moment, for the
/// threads that show or send poses.
///
/// Sound made now is heard a playback lead from now, and forecasts are continuous there alone. So at a moment the one
/// counts that was published a lead before. A value; not thread-safe. Cost grows with the forecasts within a lead, 1024
/// at most.
package struct HeardForecasts: Sendable {
    private struct Entry {
        /// Seconds of the host's monotonic clock.
        var heardFrom: Double
        var forecast: PoseForecast
    }
    /// Forecasts closer than this take one place: a flood of samples is one.
    private static var leastStep: Double { 0.0002 }
    /// A quarter of 64 frames at 48 kHz, seconds.
    private static var quarterSlice: Double { 16.0 / 48_000 }
    /// Of more than these, the oldest are given up.
    private static var capacity: Int { 1024 }

    private var entries: [Entry] = []

    /// Nothing published: the front.
    package init() {}

    /// Takes a forecast published `now`, whose sound is heard `lead` seconds later.
    package mutating func publish(_ forecast: PoseForecast, at now: Double, lead: Double) {
        let heardFrom = now + lead
        // After a shorter lead what was to be heard later is not.
        while let last = entries.last, last.heardFrom > heardFrom { entries.removeLast() }
        if let last = entries.last, heardFrom - last.heardFrom < Self.leastStep, last.heardFrom > now {
            entries[entries.count - 1].forecast = forecast
            return
        }
        let past = (entries.firstIndex { $0.heardFrom > now - Self.quarterSlice } ?? entries.count) - 1
        if past > 0 { entries.removeFirst(past) }
        if entries.count >= Self.capacity { entries.removeFirst() }
        entries.append(Entry(heardFrom: heardFrom, forecast: forecast))
    }

    /// Head to stage as heard at a moment not before the last publication; the front before anything is heard.
    ///
    /// Sound is made in slices, each for the pose at its beginning, and goes from pose to pose in a straight line;
    /// where slices begin is not known here. So this is the mean of the poses a quarter of a slice before and behind,
    /// which is nearest to all it can be.
    package func headToStage(at moment: Double) -> Quaternion {
        let (before, behind) = (read(moment - Self.quarterSlice), read(moment + Self.quarterSlice))
        guard let before, let behind else { return behind ?? .identity }
        return before.slerp(to: behind, 0.5)
    }

    /// The pose of a slice that begins at a moment; nil before anything is heard.
    private func read(_ moment: Double) -> Quaternion? {
        entries.last { $0.heardFrom <= moment }?.forecast.headToStage(at: moment)
    }
}
