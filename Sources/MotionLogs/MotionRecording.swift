import Geometry
import HeadTracking
import IMU
import Rendering

/// A recorded session's motion: the exact poses of the renderer, and the events of the trackers.
///
/// `Documentation/reference/motion-log.md` describes its text form. With its poses, a recorded programme is rendered to
/// exactly the samples that were heard live.
package struct MotionRecording: Hashable, Sendable {
    /// Settings of the session that determine its samples.
    package struct Circumstances: Hashable, Sendable, Codable {
        /// Version of the text form.
        package var version = 1
        /// Sample rate in hertz; frames of poses count at this rate.
        package var sampleRate: Double
        /// Frames per slice.
        package var slice: Int
        /// Frames per JACK period when the session began.
        package var period: Int
        /// Name of the layout.
        package var layout: String
        /// Name of the HRTF set.
        package var hrtf: String
        /// Specifications of the trackers, as on the command line.
        package var head: String, device: String
        /// Pull of yaw to the front, degrees per second.
        package var yawPull: Double
        /// Names of the room, of the stereo upmix, and of the headphones' equalisation; nil in logs without them.
        package var room: String?, upmix: String?, headphones: String?

        /// Creates the settings of a session.
        package init(
            sampleRate: Double, slice: Int, period: Int, layout: String, hrtf: String, head: String, device: String,
            yawPull: Double, room: String? = nil, upmix: String? = nil, headphones: String? = nil
        ) {
            (self.sampleRate, self.slice, self.period) = (sampleRate, slice, period)
            (self.layout, self.hrtf) = (layout, hrtf)
            (self.head, self.device, self.yawPull) = (head, device, yawPull)
            (self.room, self.upmix, self.headphones) = (room, upmix, headphones)
        }
    }

    /// A pose of the filters at a frame.
    package struct Pose: Hashable, Sendable {
        /// Frames since stream time 0.
        package var frame: Int
        /// Head to stage, of unit length.
        package var headToStage: Quaternion
        /// Time at which `frame` was to be heard, host seconds; nil in freewheel.
        package var heardAt: Double?
    }

    /// An expected turn of the head, by which a room's filters are chosen.
    package struct Turn: Hashable, Sendable {
        /// First frame of the expectation, since stream time 0.
        package var frame: Int
        /// Yaw rate, radians per frame.
        package var perFrame: Double
    }

    /// Settings of the session.
    package var circumstances: Circumstances
    /// Poses since the last stream start, frames strictly rising; at least one.
    package var poses: [Pose]
    /// Events of the head tracker, in order; also those before the last stream start.
    package var events: [MotionEvent]
    /// Changes since the last stream start, in order; empty in logs without them.
    package var changes: [Change] = []
    /// Expected turns of the head since the last stream start, in order; empty without a room and in logs without them.
    package var turns: [Turn] = []
    /// Changes of plugins since the last stream start, in order; empty in logs without them.
    package var plugins: [PluginChange] = []

    /// Returns the same motion for a renderer.
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

    /// Seconds of stream time from 0 to the last pose.
    package var duration: Double { Double(poses.last?.frame ?? 0) / circumstances.sampleRate }
}

/// Fault of a motion log. Lines are counted from 1.
package enum MotionRecordingError: Error, Hashable, Sendable {
    /// The first line is not a motion log's.
    case notAMotionLog
    /// A newer program wrote it.
    case newerVersion(Int)
    /// A line is not JSON, or lacks a required value.
    case badLine(Int, String)
    /// A pose's frame is not greater than the one before.
    case framesOutOfOrder(line: Int, frame: Int, previous: Int)
    /// A pose's quaternion is not of unit length.
    case notUnit(line: Int, length: Double)
    /// No pose follows the last stream start.
    case noPoses
}

extension MotionRecordingError: CustomStringConvertible {
    /// The fault, its line and its remedy.
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
