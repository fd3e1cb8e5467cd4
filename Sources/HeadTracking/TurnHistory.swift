import Geometry

/// The last tenths of a second of a motion, with the mean rates after each entry. O(1), without allocation once full.
struct TurnHistory: Sendable {
    /// One entry of the motion.
    struct Entry: Sendable {
        /// Time, seconds.
        var time: Double
        var pose: Quaternion
        var terms: RateCascade.Terms
    }

    private static var capacity: Int { 32 }
    /// Interval between entries above which the pose is not interpolated, seconds.
    private static var longestGap: Double { 0.06 }

    /// Least time between entries, seconds, so that the entries span the longest horizon at any sample rate.
    private let leastStep: Double
    private var entries: [Entry] = []
    /// Number of entries so far. The newest is at index `count - 1`, modulo the capacity.
    private var count = 0
    /// Index of the next entry to be evaluated.
    private var next = 0

    /// Creates an empty history. `horizon`: the longest horizon of `seen`, seconds.
    init(horizon: Double) { leastStep = max(0.004, horizon / Double(Self.capacity - 4)) }

    private subscript(_ index: Int) -> Entry { entries[index % Self.capacity] }

    /// Removes all entries.
    mutating func clear() {
        (count, next) = (0, 0)
        entries.removeAll(keepingCapacity: true)
    }

    /// Appends an entry. Returns false, and drops it, if it follows the last one too soon.
    mutating func append(_ entry: Entry) -> Bool {
        if count > 0, entry.time - self[count - 1].time < leastStep { return false }
        if entries.count < Self.capacity {
            entries.reserveCapacity(Self.capacity)
            entries.append(entry)
        } else {
            entries[count % Self.capacity] = entry
        }
        count += 1
        next = max(next, count - Self.capacity)
        return true
    }

    /// Returns the next entry that was not yet evaluated: its terms, the mean rates over three horizons (rad/s, in the
    /// entry's body axes), and the seconds since the previous entry, at most `longestGap`. `horizons`: seconds, rising.
    /// Entries with too long a gap at a horizon are skipped. Nil if no entry is left whose last horizon has passed.
    mutating func seen(
        after horizons: SIMD3<Double>
    ) -> (terms: RateCascade.Terms, turns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), step: Double)? {
        while count > 0, next < count, self[next].time + horizons.z <= self[count - 1].time {
            let entry = self[next]
            let step = next > 0 && next > count - Self.capacity ? entry.time - self[next - 1].time : leastStep
            var at = next
            next += 1
            guard let first = turn(from: entry, after: horizons.x, &at),
                let second = turn(from: entry, after: horizons.y, &at),
                let third = turn(from: entry, after: horizons.z, &at)
            else { continue }
            return (entry.terms, (first, second, third), min(step, Self.longestGap))
        }
        return nil
    }

    /// Returns the mean rate from an entry to a horizon; nil if the entries around the horizon are too far apart. `at`
    /// is moved to the last entry before the horizon.
    private func turn(from entry: Entry, after horizon: Double, _ at: inout Int) -> SIMD3<Double>? {
        let time = entry.time + horizon
        while at + 1 < count - 1, self[at + 1].time <= time { at += 1 }
        let (a, b) = (self[at], self[at + 1])
        guard b.time - a.time <= Self.longestGap else { return nil }
        let pose = a.pose.slerp(to: b.pose, (time - a.time) / (b.time - a.time))
        return (entry.pose.conjugate * pose).rotationVector / horizon
    }
}
