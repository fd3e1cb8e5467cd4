/// Timing of a tracker's stream, as measured by a `StreamClock`.
package struct StreamTiming: Hashable, Sendable {
    /// Source of the times.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// Before enough samples, or if the stream is too irregular: the time is the arrival.
        case arrival
        /// The regular rate of the stream, found from its earliest arrivals. Used if the stamps are missing or
        /// unusable.
        case rate
        /// The sender's own clock, related to the host's clock by the earliest arrivals.
        case sender
    }

    /// Present source of the times.
    package var source = Source.arrival
    /// Seconds between samples; `nil` before the first estimate.
    package var period: Double?
    /// Delay of the arrivals relative to the least delayed one, seconds RMS over about the last 500 samples; `nil`
    /// before the 64th sample.
    package var jitter: Double?
    /// Number of lost messages. Nil if the sender does not count its messages, or if its count includes other messages:
    /// a lost message then looks like one that was late or never sent.
    package var lost: Int?
    /// Share of lost messages over about the last thousand, 0…1; `nil` as for `lost`.
    package var loss: Double?
    /// Length of the sender's second relative to the host's, minus one, in parts per million. A positive value means
    /// that the sender's clock is slow. Nil without trusted stamps, and in the first four seconds.
    package var skewPPM: Double?
    /// Number of restarts of the sender's clock or count.
    package var resets = 0
    /// Faults of the sender's stamps; empty if there are none.
    package var faults: [StampFault] = []

    /// Starts without samples.
    package init() {}
}
