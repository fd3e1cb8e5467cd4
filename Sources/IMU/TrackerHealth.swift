/// Condition of a tracker's stream: counts of samples received and dropped, by cause.
package struct TrackerHealth: Equatable, Sendable {
    /// Cause of unused input.
    package enum Fault: String, Hashable, Sendable, CaseIterable {
        /// Not a message of the format: a datagram of another size, other text, a wrong field.
        case malformed
        /// An OSC address that belongs to no profile.
        case unknownAddress
        /// Too few arguments, or arguments that are not numbers.
        case wrongArguments
        /// An infinite number or NaN.
        case notFinite
        /// A quaternion whose length is outside 0.9…1.1.
        case notUnit
        /// A number outside the limits of `MotionRanges`: an angle above two turns, a rate above 100 rad/s, a force
        /// above 2000 m/s², a field above 10 mT.
        case implausible
        /// A message whose checksum does not match its bytes.
        case checksum
        /// Bytes between two messages of a stream, skipped in search of the next message. Each run of such bytes counts
        /// once.
        case outOfSync
        /// Many bytes that match no known format, or no longer match the format recognised before.
        case unrecognised
    }

    /// Samples whose rate stood at the end of the gyroscope's range.
    package struct ClippedSamples: Equatable, Sendable {
        /// Greatest rate that the gyroscope measures, rad/s.
        package var range: Double
        /// Number of these samples.
        package var count: Int
        /// Arrival of the last of them, seconds of the host's monotonic clock.
        package var arrival: Double
    }

    /// State of the transport.
    package enum Connection: Equatable, Sendable {
        /// Not opened yet, or closed.
        case closed
        /// Open; the tracker may be silent.
        case open
        /// The device was unplugged or vanished, with the reason. The transport opens it again when it returns.
        case lost(String)
    }

    /// Number of samples delivered.
    package internal(set) var received = 0
    /// Numbers of unused messages or datagrams, by cause; a missing cause means zero.
    package internal(set) var dropped: [Fault: Int] = [:]
    /// Number of datagrams that were dropped unread because too many arrived.
    package internal(set) var shed = 0
    /// The accepted sender, for a transport on which several senders are possible; `nil` otherwise and before the first
    /// datagram.
    package internal(set) var sender: DatagramSender?
    /// The last sender that was ignored; `nil` if none was ignored since the accepted sender last changed.
    package private(set) var otherSender: DatagramSender?
    /// Arrival of the last datagram of `otherSender`, seconds of the host's monotonic clock.
    package private(set) var otherArrival = -Double.infinity
    /// Number of ignored datagrams of other senders.
    package private(set) var ignored = 0
    /// Arrival of the last sample; seconds of the host's monotonic clock, `nil` before the first.
    package internal(set) var lastArrival: Double?
    /// Mean sample rate over about the last second, Hz; 0 before the second sample.
    package internal(set) var rate = 0.0
    /// Regularity of the samples, and losses between sender and host.
    package internal(set) var timing = StreamTiming()
    /// Name of the tracker's format; nil while it is unknown.
    package internal(set) var format: String?
    /// Name that the tracker states, or else the lasting name of the connection; `nil` if neither is known.
    package internal(set) var identity: String?
    /// Samples at the end of the gyroscope's range; `nil` if there were none.
    package private(set) var clipping: ClippedSamples?
    /// State of the transport.
    package internal(set) var connection = Connection.closed
    /// Number of reconnections after a lost connection.
    package internal(set) var returns = 0

    private var meanInterval = 0.0
    private var intervals = 0

    /// Starts without samples.
    package init() {}

    /// Number of all unused inputs.
    package var droppedTotal: Int { dropped.values.reduce(0, +) + shed + ignored }

    /// Numbers of unused inputs, by the name of their cause. `shed` counts datagrams dropped unread, `otherSender` the
    /// datagrams of a second sender.
    package var faultCounts: [String: Int] {
        Dictionary(uniqueKeysWithValues: dropped.map { ($0.rawValue, $1) })
            .merging(["shed": shed, "otherSender": ignored].filter { $0.value > 0 }) { $1 }
    }

    /// Returns the seconds since the last sample; `nil` before the first.
    package func age(at time: Double) -> Double? { lastArrival.map { time - $0 } }

    mutating func countArrival(at time: Double) {
        received += 1
        if let last = lastArrival, time > last {
            let interval = time - last
            if interval > 2 {
                // After a silence the mean starts anew; the silence itself does not count as an interval.
                intervals = 0
            } else {
                // The weight gives a mean over about one second at any rate, and over all intervals so far during the
                // first second.
                intervals += 1
                let weight = min(1, max(interval, 1 / Double(intervals)))
                meanInterval += weight * (interval - meanInterval)
                rate = 1 / meanInterval
            }
        }
        lastArrival = time
    }

    mutating func ignore(_ sender: DatagramSender, at time: Double) {
        ignored += 1
        (otherSender, otherArrival) = (sender, time)
    }

    /// Forgets the ignored sender, because the accepted sender has changed.
    mutating func forgetOtherSender() { (otherSender, otherArrival) = (nil, -.infinity) }

    mutating func clip(at found: GyroscopeRange, arrival: Double) {
        clipping = found.range.map { ClippedSamples(range: $0, count: found.count, arrival: arrival) }
    }

    mutating func count(_ fault: Fault) { dropped[fault, default: 0] += 1 }
}
