import Geometry

/// Source of the head's pose.
package enum PoseSource: Sendable {
    /// The renderer's mailbox in live periods; the front otherwise.
    case mailbox
    /// One constant pose.
    case fixed(Rotation<Head, Stage>)
    /// Recorded motion by stream time, live or not.
    case log(PoseLog)

    /// Constant pose that faces the front.
    package static var front: PoseSource { .fixed(.identity) }

    /// Returns a constant pose by its angles, degrees: positive left, up, right ear down.
    package static func facing(yawDegrees: Double, pitchDegrees: Double, rollDegrees: Double) -> PoseSource {
        let k = Double.pi / 180
        return .fixed(Rotation(yaw: yawDegrees * k, pitch: pitchDegrees * k, roll: rollDegrees * k))
    }
}

/// Recorded motion of the head: poses at seconds of stream time, in order. Between them poses are interpolated
/// spherically; before the first and after the last these are held.
package struct PoseLog: Sendable {
    /// One pose of a log.
    package struct Entry: BitwiseCopyable, Sendable, Hashable {
        /// Seconds of stream time.
        package var seconds: Double
        /// Head to stage.
        package var headToStage: Rotation<Head, Stage>

        /// Holds the head's pose at a stream time.
        package init(seconds: Double, headToStage: Rotation<Head, Stage>) {
            self.seconds = seconds
            self.headToStage = headToStage
        }
    }

    /// Expected yaw rate of the head from a time on.
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
    /// Expected yaw rates, in order of time; without any, the later poses give the rate.
    package let turns: [Turn]

    /// Checks a log of poses, at least one, whose times strictly increase. `turns` in order of time.
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

    /// Reads raw rows t, w, x, y, z; quaternions are scaled to unit length.
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
