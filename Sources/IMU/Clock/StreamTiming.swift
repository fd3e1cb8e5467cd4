/// How regularly a tracker's stream comes: what a `StreamClock` has found out.
package struct StreamTiming: Hashable, Sendable {
    /// Where the times come from.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// Nothing is known yet, or the stream is too irregular: the times are those of arrival.
        case arrival
        /// The regular rate at which a stream is sent, found from its earliest arrivals: it has no stamps, or none to
        /// be believed.
        case rate
        /// The sender's own clock, tied to ours by its earliest arrivals.
        case sender
    }

    /// Where the times come from now.
    package var source = Source.arrival
    /// Seconds between samples; `nil` until some have come.
    package var period: Double?
    /// Seconds, RMS over about the last 500 samples, by which samples arrive later than the least delayed; `nil` before
    /// a second is over.
    package var jitter: Double?
    /// Messages that were sent and never came; `nil` where the sender does not count its messages, for then a message
    /// that was lost looks like one that was late or never sent.
    package var lost: Int?
    /// Their share over about the last thousand, 0…1; `nil` as `lost`.
    package var loss: Double?
    /// By how many parts per million a second of the sender is longer than ours (positive: its clock is slow); `nil`
    /// without sender's stamps that are believed, or before four seconds are over.
    package var skewPPM: Double?
    /// How often the sender's clock or count began anew.
    package var resets = 0
    /// What is wrong with the sender's stamps; empty where nothing is known to be.
    package var faults: [StampFault] = []

    /// Nothing heard yet.
    package init() {}
}
