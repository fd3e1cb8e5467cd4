import Geometry

/// Source of the head's pose.
package enum PoseSource: Sendable {
    /// In live periods, the forecast in the renderer's mailbox; in other periods, a head that faces the front.
    case mailbox
    /// One constant pose.
    case fixed(Rotation<Head, Stage>)
    /// Recorded motion by stream time, in live and other periods.
    case log(PoseLog)

    /// Constant pose that faces the front.
    package static var front: PoseSource { .fixed(.identity) }

    /// Returns a constant pose from its angles, degrees. Positive yaw turns left, positive pitch up. Positive roll
    /// lowers the right ear.
    package static func facing(yawDegrees: Double, pitchDegrees: Double, rollDegrees: Double) -> PoseSource {
        let k = Double.pi / 180
        return .fixed(Rotation(yaw: yawDegrees * k, pitch: pitchDegrees * k, roll: rollDegrees * k))
    }
}

/// Recorded motion of the head: poses at times of the stream, in order. Between two rows the pose is interpolated
/// spherically. Before the first row and after the last one, that row's pose is held.
package struct PoseLog: Sendable {
    /// One row of a log.
    package struct Entry: BitwiseCopyable, Sendable, Hashable {
        /// Seconds of stream time.
        package var seconds: Double
        /// Rotation from head axes to stage axes.
        package var headToStage: Rotation<Head, Stage>

        /// Holds the head's pose at a stream time.
        package init(seconds: Double, headToStage: Rotation<Head, Stage>) {
            self.seconds = seconds
            self.headToStage = headToStage
        }
    }

    /// Yaw rate that is expected of the head from a time on.
    package struct Turn: BitwiseCopyable, Sendable, Hashable {
        /// Seconds of stream time.
        package var seconds: Double
        /// Yaw rate, radians per frame.
        package var perFrame: Double

        /// Holds the rate expected from a stream time on.
        package init(seconds: Double, perFrame: Double) { (self.seconds, self.perFrame) = (seconds, perFrame) }
    }

    /// The poses in order of time.
    package let entries: [Entry]
    /// Expected yaw rates in order of time. Before the first rate's time, or without rates, the rate follows from the
    /// later poses.
    package let turns: [Turn]

    /// Checks and holds a log of poses. The log needs at least one pose, finite numbers, and times that strictly
    /// increase. `turns` must be in order of time; this is not checked.
    package init(_ entries: [Entry], turns: [Turn] = []) throws(RenderingError) {
        self.turns = turns
        guard !entries.isEmpty else { throw .emptyPoseLog }
        for (row, entry) in entries.enumerated() {
            let q = entry.headToStage.quaternion
            guard entry.seconds.isFinite, q.squaredNorm.isFinite else { throw .unusablePose(row: row) }
            guard row == 0 || entry.seconds > entries[row - 1].seconds else {
                throw .posesOutOfOrder(row: row, seconds: entry.seconds)
            }
        }
        self.entries = entries
    }

    /// Checks a log of raw rows: time t in seconds, and quaternion w, x, y, z. Quaternions are scaled to unit length.
    package init(rows: [(seconds: Double, quaternion: Quaternion)]) throws(RenderingError) {
        var entries: [Entry] = []
        for (row, (seconds, quaternion)) in rows.enumerated() {
            guard quaternion.squaredNorm > 1e-12, quaternion.squaredNorm.isFinite else {
                throw .unusablePose(row: row)
            }
            entries.append(Entry(seconds: seconds, headToStage: Rotation(quaternion)))
        }
        try self.init(entries)
    }
}
