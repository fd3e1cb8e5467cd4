/// How a tracker is doing: what came, what was dropped and why.
package struct TrackerHealth: Equatable, Sendable {
    /// Why something that arrived was not used.
    package enum Fault: String, Hashable, Sendable, CaseIterable {
        /// Not a message of the format: a datagram of another size, text that is not the format's, a wrong field.
        case malformed
        /// An OSC address no profile has.
        case unknownAddress
        /// Too few arguments, or arguments that are not numbers.
        case wrongArguments
        /// An infinite number or NaN.
        case notFinite
        /// A quaternion whose length is outside 0.9…1.1.
        case notUnit
        /// A number that no head or vehicle can show: an angle beyond two turns, a rate beyond 100 rad/s, a force
        /// beyond 2000 m/s², a field beyond 10 mT.
        case implausible
        /// A message whose checksum does not fit its bytes.
        case checksum
        /// Bytes of a stream between two messages, passed over in search of the next; one for each run of them.
        case outOfSync
        /// Many bytes of which no known format makes sense, or the format recognised no longer does.
        case unrecognised
    }

    /// Whether bytes can come at all.
    package enum Connection: Equatable, Sendable {
        /// Not opened yet, or closed.
        case closed
        /// Open; a tracker may or may not be speaking.
        case open
        /// Unplugged or gone, and waited for; why.
        case lost(String)
    }

    /// Samples handed on.
    package internal(set) var received = 0
    /// Messages or datagrams not used, by cause; zero where absent.
    package internal(set) var dropped: [Fault: Int] = [:]
    /// Datagrams thrown away unread in a flood.
    package internal(set) var shed = 0
    /// The sender that is listened to, where more than one can send; `nil` elsewhere and before the first datagram.
    package internal(set) var sender: DatagramSender?
    /// The other sender that sent last while that one was listened to; `nil` where none did.
    package private(set) var otherSender: DatagramSender?
    /// When that was; seconds of the host's monotonic clock.
    package private(set) var otherArrival = -Double.infinity
    /// Datagrams of others that were ignored.
    package private(set) var ignored = 0
    /// When the last sample arrived; seconds of the host's monotonic clock, `nil` before the first.
    package internal(set) var lastArrival: Double?
    /// Samples per second over about the last second; 0 before the second.
    package internal(set) var rate = 0.0
    /// How regularly they come, and what was lost on the way.
    package internal(set) var timing = StreamTiming()
    /// What the tracker speaks: the name of its format, once recognised.
    package internal(set) var format: String?
    /// What the tracker calls itself, or where it is plugged in; `nil` where neither is known.
    package internal(set) var identity: String?
    /// Whether bytes can come at all.
    package internal(set) var connection = Connection.closed
    /// How often it came back after it had been lost.
    package internal(set) var returns = 0

    private var meanInterval = 0.0
    private var intervals = 0

    /// Nothing heard yet.
    package init() {}

    /// Everything not used.
    package var droppedTotal: Int { dropped.values.reduce(0, +) + shed + ignored }

    /// What was not used, by the name of its cause; `shed` for datagrams thrown away unread, `otherSender` for those of
    /// a second sender.
    package var faultCounts: [String: Int] {
        Dictionary(uniqueKeysWithValues: dropped.map { ($0.rawValue, $1) })
            .merging(["shed": shed, "otherSender": ignored].filter { $0.value > 0 }) { $1 }
    }

    /// Seconds since the last sample; `nil` before the first.
    package func age(at time: Double) -> Double? { lastArrival.map { time - $0 } }

    mutating func countArrival(at time: Double) {
        received += 1
        if let last = lastArrival, time > last {
            let interval = time - last
            if interval > 2 {
                // After a silence the mean starts anew; the silence itself is no interval.
                intervals = 0
            } else {
                // A mean over about one second, whatever the rate, and over the values so far at the start.
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

    mutating func count(_ fault: Fault) { dropped[fault, default: 0] += 1 }
}
