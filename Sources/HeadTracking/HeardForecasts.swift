import Geometry

/// The forecasts published so far, each with the time from which it is heard. Threads that show or send poses obtain
/// from it the pose that is heard at a given time.
///
/// Sound that is rendered now is heard one playback lead from now, and a new forecast is continuous with the former one
/// only at that time. The pose heard at a given time is therefore that of the forecast published one lead earlier. A
/// value; not thread-safe. The cost grows with the number of forecasts published within one lead, at most 1024.
package struct HeardForecasts: Sendable {
    private struct Entry {
        /// Seconds of the host's monotonic clock.
        var heardFrom: Double
        var forecast: PoseForecast
    }
    /// Least spacing of the entries, seconds. A forecast that follows sooner replaces the previous one, unless that is
    /// already heard.
    private static var leastStep: Double { 0.0002 }
    /// A quarter of a slice of 64 frames at 48 kHz, seconds; see `headToStage`.
    private static var quarterSlice: Double { 16.0 / 48_000 }
    /// Greatest number of entries; the oldest are dropped.
    private static var capacity: Int { 1024 }

    private var entries: [Entry] = []

    /// Creates an empty list; the pose is then the front.
    package init() {}

    /// Adds a forecast published at `now`, whose sound is heard `lead` seconds later.
    package mutating func publish(_ forecast: PoseForecast, at now: Double, lead: Double) {
        let heardFrom = now + lead
        // If the lead became shorter, forecasts that would be heard later than this one are dropped.
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

    /// Returns the rotation from head to stage that is heard at a time, which must not precede the last publication.
    /// Returns the front (identity) before the first forecast is heard.
    ///
    /// Sound is rendered in short slices, each for the pose at its beginning, with linear crossfades between them. The
    /// times at which slices begin are unknown here. So the result is the mean of the poses a quarter of a slice
    /// earlier and later, which has the least error.
    package func headToStage(at moment: Double) -> Quaternion {
        let (before, behind) = (read(moment - Self.quarterSlice), read(moment + Self.quarterSlice))
        guard let before, let behind else { return behind ?? .identity }
        return before.slerp(to: behind, 0.5)
    }

    /// Returns the pose of a slice that begins at a time; nil before the first forecast is heard.
    private func read(_ moment: Double) -> Quaternion? {
        entries.last { $0.heardFrom <= moment }?.forecast.headToStage(at: moment)
    }
}
