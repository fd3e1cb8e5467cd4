/// Detects that a sender's clock was set (by NTP or by hand), as distinct from messages that were overtaken, lost or
/// late. O(1) per stamp.
struct ClockSetting: Sendable {
    /// Finding on one stamp.
    enum Finding {
        /// The stamp follows the previous one.
        case ordinary
        /// The stamp is older than an earlier one. Either its message was overtaken, or the clock was set back; the
        /// next stamp decides.
        case older
        /// The sender's clock was set since the previous stamp.
        case set
    }

    /// Least change of the clock that is distinguished from the spacing of samples, seconds.
    private static let least = 0.005
    /// Least step back that counts while no period is known, seconds; smaller steps are scatter.
    private static let back = 0.03

    private var newest: Double?
    /// The previous stamp if it was older than `newest`, and the number of successive older stamps at the spacing of
    /// samples.
    private var older: (stamp: Double, run: Int)?

    /// Starts without stamps.
    init() {}

    /// Judges a stamp, in seconds, unwrapped. `interval`: seconds between the arrivals. `count`: samples since the
    /// newest stamp, `nil` if the sender does not count. `period`: seconds between exact stamps, `nil` before it is
    /// known. `lateness`: seconds from the earliest possible arrival to the actual arrival, as if the clock had not
    /// been set.
    mutating func take(
        _ stamp: Double, interval: Double, count: Int?, period: Double?, lateness: Double
    ) -> Finding {
        guard let newest else {
            self.newest = stamp
            return .ordinary
        }
        let step = stamp - newest
        if let count, count > 0 {
            self.newest = stamp
            guard let period else { return .ordinary }
            // The clock was set if the stamp has not risen, or if the message would otherwise have arrived before it
            // was sent.
            let ahead = step - Double(count) * period
            return step <= 0 || ahead > max(period, Self.least) && lateness < -ahead / 2 ? .set : .ordinary
        }
        let goesOn =
            older.map { before in
                period.map { (0.3 * $0...3 * $0).contains(stamp - before.stamp) } ?? false
            } ?? false
        if count == nil, goesOn, let older, older.run > 0 {
            (self.newest, self.older) = (stamp, nil)
            return .set
        }
        guard step < -(period == nil ? Self.back : Self.least) else {
            (self.newest, older) = (max(stamp, newest), nil)
            return .ordinary
        }
        older = (stamp, goesOn ? (older?.run ?? 0) + 1 : 0)
        return .older
    }
}
