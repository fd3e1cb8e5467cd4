import Geometry
import HeadTracking
import IMU
import Rendering

/// A recorded session's motion: the poses the renderer used, to the last bit, and what the trackers said meanwhile.
///
/// Its text form is described in `Documentation/motion-log.md`. As poses it renders a recorded programme to the very
/// samples that were heard live.
package struct MotionRecording: Hashable, Sendable {
    /// What the session ran with; what must be alike for the same samples.
    package struct Circumstances: Hashable, Sendable, Codable {
        /// Version of the text form.
        package var version = 1
        /// Hertz; pose frames count at this rate.
        package var sampleRate: Double
        /// Frames per slice.
        package var slice: Int
        /// Frames per JACK period when the session began.
        package var period: Int
        /// Name of the layout.
        package var layout: String
        /// Name of the HRTF set.
        package var hrtf: String
        /// The trackers, in the words of the command line.
        package var head: String, device: String
        /// Pull of yaw to the front, degrees per second.
        package var yawPull: Double
        /// The room's name, how stereo is upmixed, and the name of the headphones' equalisation;
        /// nil in logs that do not say.
        package var room: String?, upmix: String?, headphones: String?

        /// What a session says of itself.
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

    /// A pose the filters had reached.
    package struct Pose: Hashable, Sendable {
        /// Frames since stream time 0.
        package var frame: Int
        /// Head to stage, of unit length.
        package var headToStage: Quaternion
        /// Host seconds at which `frame` was to be heard; nil in freewheel.
        package var heardAt: Double?
    }

    /// How the head was expected to turn, as a room's filters are chosen by.
    package struct Turn: Hashable, Sendable {
        /// Frames since stream time 0, from which on it was expected.
        package var frame: Int
        /// Radians of yaw per frame.
        package var perFrame: Double
    }

    /// What the session ran with.
    package var circumstances: Circumstances
    /// The poses since the last stream start, frames strictly rising; at least one.
    package var poses: [Pose]
    /// What reached the tracker, in order; also before the last stream start.
    package var events: [MotionEvent]
    /// What was asked for since the last stream start, in order; none in logs that do not say.
    package var changes: [Change] = []
    /// What was expected of the head since the last stream start, in order; none without a room and in logs that do not
    /// say.
    package var turns: [Turn] = []
    /// What was asked of plugins since the last stream start, in order; none in logs that do not say.
    package var plugins: [PluginChange] = []

    /// The same motion for a renderer.
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

/// What is wrong with a motion log. Lines are counted from 1.
package enum MotionRecordingError: Error, Hashable, Sendable {
    /// The first line is not a motion log's.
    case notAMotionLog
    /// It was written by a newer program.
    case newerVersion(Int)
    /// A line is not JSON, or does not hold what it must.
    case badLine(Int, String)
    /// A pose's frame does not come after the one before it.
    case framesOutOfOrder(line: Int, frame: Int, previous: Int)
    /// A pose's quaternion is not of unit length.
    case notUnit(line: Int, length: Double)
    /// There is no pose after the last stream start.
    case noPoses
}

extension MotionRecordingError: CustomStringConvertible {
    /// What is wrong in which line, and what to do.
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
