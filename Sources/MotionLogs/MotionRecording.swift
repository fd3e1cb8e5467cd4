import Geometry
import HeadTracking
import IMU
import Rendering

/// Recorded motion of a session: the exact poses of the renderer, and the events of the trackers.
///
/// `Documentation/reference/motion-log.md` describes its text form. With these poses, a recorded programme is rendered
/// to exactly the samples that were played live.
package struct MotionRecording: Hashable, Sendable {
    /// Pose of the head for which the filters apply at a frame.
    package struct Pose: Hashable, Sendable {
        /// Frame relative to stream time 0.
        package var frame: Int
        /// Rotation from head to stage, of unit length.
        package var headToStage: Quaternion
        /// Time at which `frame` was to be played, seconds of the host's clock; nil in freewheel mode.
        package var heardAt: Double?
    }

    /// Expected rotation of the head, by which a room's filters are selected.
    package struct Turn: Hashable, Sendable {
        /// First frame of the expectation, relative to stream time 0.
        package var frame: Int
        /// Yaw rate, radians per frame.
        package var perFrame: Double
    }

    /// Settings of the session.
    package var circumstances: Circumstances
    /// Poses since the last stream start, at least one. Their frames are strictly ascending.
    package var poses: [Pose]
    /// Events of the head tracker in order, including those before the last stream start.
    package var events: [MotionEvent]
    /// Changes since the last stream start, in order; empty in logs without them. Only the frames of equalisations may
    /// be out of order.
    package var changes: [Change] = []
    /// Expected rotations of the head since the last stream start, in order. Empty without a room, and in logs without
    /// them.
    package var turns: [Turn] = []
    /// Changes of plugins since the last stream start, in order; empty in logs without them.
    package var plugins: [PluginChange] = []

    /// Returns the motion as a pose log for a renderer.
    package func poseLog() throws(RenderingError) -> PoseLog {
        try PoseLog(
            poses.map {
                PoseLog.Entry(
                    seconds: Double($0.frame) / circumstances.sampleRate, headToStage: Rotation(unit: $0.headToStage))
            },
            turns: turns.map {
                PoseLog.Turn(seconds: Double($0.frame) / circumstances.sampleRate, perFrame: $0.perFrame)
            })
    }

    /// Stream time from 0 to the last pose, seconds.
    package var duration: Double { Double(poses.last?.frame ?? 0) / circumstances.sampleRate }
}

/// Fault of a motion log. Lines are counted from 1.
package enum MotionRecordingError: Error, Hashable, Sendable {
    /// The first line is not that of a motion log.
    case notAMotionLog
    /// The log was written by a newer program.
    case newerVersion(Int)
    /// A line is not JSON, lacks a required value, or has an invalid one.
    case badLine(Int, String)
    /// A pose's frame is not greater than the frame of the previous pose.
    case framesOutOfOrder(line: Int, frame: Int, previous: Int)
    /// A pose's quaternion is not of unit length.
    case notUnit(line: Int, length: Double)
    /// No pose follows the last stream start.
    case noPoses
}

extension MotionRecordingError: CustomStringConvertible {
    /// Fault, line and remedy.
    package var description: String {
        switch self {
        case .notAMotionLog:
            "line 1 is not that of a motion log, {\"motion\":{\"version\":1,...}}; 'run --record-motion' writes them "
                + "(poses as CSV are read by --poses)"
        case .newerVersion(let version):
            "this motion log is of version \(version), which a newer proscenium wrote; this one reads version 1"
        case .badLine(let line, let reason): "line \(line): \(reason)"
        case .framesOutOfOrder(let line, let frame, let previous):
            "line \(line): the pose's frame \(frame) does not come after \(previous)"
        case .notUnit(let line, let length):
            "line \(line): the quaternion has length \(length); a recorded pose has length 1"
        case .noPoses: "the motion log holds no pose: nothing was played while it was recorded"
        }
    }
}
