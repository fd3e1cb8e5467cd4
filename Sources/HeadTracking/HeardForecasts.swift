import Geometry

/// The forecasts published so far, each with the moment from which it is heard: gives the heard pose at any moment to
/// the threads that show or send poses.
///
/// Sound made now is heard a playback lead from now, and only there are forecasts continuous. So the forecast in force
/// at a moment is the one published a lead before. A value; not thread-safe. Cost grows with the forecasts within a
/// lead, 1024 at most.
package struct HeardForecasts: Sendable {
    private struct Entry {
        /// Seconds of the host's monotonic clock.
        var heardFrom: Double
        var forecast: PoseForecast
    }
    /// Least spacing of the entries, seconds: closer forecasts replace each other.
    private static var leastStep: Double { 0.0002 }
    /// A quarter of 64 frames at 48 kHz, seconds.
    private static var quarterSlice: Double { 16.0 / 48_000 }
    /// Greatest number of entries; the oldest are dropped.
    private static var capacity: Int { 1024 }

    private var entries: [Entry] = []

    /// No forecast published: the front.
    package init() {}

    /// Takes a forecast published `now`, whose sound is heard `lead` seconds later.
    package mutating func publish(_ forecast: PoseForecast, at now: Double, lead: Double) {
        let heardFrom = now + lead
        // The lead became shorter: forecasts to be heard later than this one are dropped.
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

    /// Returns head to stage as heard at a moment not before the last publication; the front before anything is heard.
    ///
    /// Sound is made in slices, each for the pose at its beginning, with linear crossfades between them. Where slices
    /// begin is unknown here. So the result is the mean of the poses a quarter of a slice before and after, which has
    /// the least error.
    package func headToStage(at moment: Double) -> Quaternion {
        let (before, behind) = (read(moment - Self.quarterSlice), read(moment + Self.quarterSlice))
        guard let before, let behind else { return behind ?? .identity }
        return before.slerp(to: behind, 0.5)
    }

    /// Returns the pose of a slice that begins at a moment; nil before anything is heard.
    private func read(_ moment: Double) -> Quaternion? {
        entries.last { $0.heardFrom <= moment }?.forecast.headToStage(at: moment)
    }
}
