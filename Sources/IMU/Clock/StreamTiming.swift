/// Timing of a tracker's stream, as measured by a `StreamClock`.
package struct StreamTiming: Hashable, Sendable {
    /// Source of the times.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// Before enough samples, or where the stream is too irregular: the times are those of arrival.
        case arrival
        /// The regular rate of the stream, found from its earliest arrivals: its stamps are missing or unusable.
        case rate
        /// The sender's own clock, tied to ours by its earliest arrivals.
        case sender
    }

    /// Present source of the times.
    package var source = Source.arrival
    /// Seconds between samples; `nil` before the first estimate.
    package var period: Double?
    /// Delay of the arrivals behind the least delayed one, seconds RMS over about the last 500 samples; `nil` before
    /// the 64th sample.
    package var jitter: Double?
    /// Number of lost messages; `nil` where the sender does not count its messages: a lost message then looks like one
    /// that was late or never sent.
    package var lost: Int?
    /// Share of lost messages over about the last thousand, 0…1; `nil` as `lost`.
    package var loss: Double?
    /// Length of the sender's second relative to ours, less one, in parts per million (positive: its clock is slow);
    /// `nil` without trusted stamps, or in the first four seconds.
    package var skewPPM: Double?
    /// Number of restarts of the sender's clock or count.
    package var resets = 0
    /// Faults of the sender's stamps; empty without any.
    package var faults: [StampFault] = []

    /// Starts without samples.
    package init() {}
}
