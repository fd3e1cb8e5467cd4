import Geometry

/// Where the head's pose comes from.
package enum PoseSource: Sendable {
    /// The renderer's mailbox, while periods are live; the front otherwise.
    case mailbox
    /// One pose for all time.
    case fixed(Rotation<Head, Stage>)
    /// A recorded motion by stream time, live or not.
    case log(PoseLog)

    /// The stage seen from the front for all time.
    package static var front: PoseSource { .fixed(.identity) }
}

/// A recorded motion of the head: poses at seconds of stream time, in order; between them spherical interpolation,
/// before the first and after the last those are held.
package struct PoseLog: Sendable {
    /// One pose of a log.
    package struct Entry: BitwiseCopyable, Sendable, Hashable {
        /// Seconds of stream time.
        package var seconds: Double
        /// Head to stage.
        package var headToStage: Rotation<Head, Stage>

        /// The head's pose at a moment of stream time.
        package init(seconds: Double, headToStage: Rotation<Head, Stage>) {
            self.seconds = seconds
            self.headToStage = headToStage
        }
    }

    /// How the head was expected to turn from a moment on.
    package struct Turn: BitwiseCopyable, Sendable, Hashable {
        /// Seconds of stream time.
        package var seconds: Double
        /// Radians of yaw per frame.
        package var perFrame: Double

        /// What was expected from a moment of stream time on.
        package init(seconds: Double, perFrame: Double) { (self.seconds, self.perFrame) = (seconds, perFrame) }
    }

    /// The poses in order of time.
    package let entries: [Entry]
    /// What was expected of the head, in order of time; none: the poses to come tell.
    package let turns: [Turn]

    /// A log of poses whose times strictly increase; at least one. `turns` in the order of their moments.
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

    /// A log from raw rows t, w, x, y, z; quaternions are scaled to unit length.
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
