import Geometry
import HeadTracking
import IMU
import Takes

/// Lines of a motion log. Each is a JSON object, with numbers in the shortest form that is read back exactly.
enum MotionLine {
    /// Returns the first line.
    static func header(_ circumstances: MotionRecording.Circumstances) -> String {
        "{\"motion\":\(circumstances.jsonLine)}\n"
    }

    /// Line for a stream start. The frames of later poses are relative to stream time 0 again.
    static let start = "{\"start\":0}\n"

    /// Returns the line for a pose.
    static func pose(_ pose: MotionRecording.Pose) -> String {
        let q = pose.headToStage
        let heard = pose.heardAt.map { ",\($0)" } ?? ""
        return "{\"pose\":[\(pose.frame),\(q.w),\(q.x),\(q.y),\(q.z)\(heard)]}\n"
    }

    /// Returns the line for an expected rotation.
    static func turn(_ turn: MotionRecording.Turn) -> String { "{\"turn\":[\(turn.frame),\(turn.perFrame)]}\n" }

    /// Returns the line for an event; empty for a sample with a number that is not finite, which no decoder outputs.
    static func event(_ event: MotionEvent) -> String {
        switch event {
        case .head(let sample): tracker("head", sample)
        case .device(let sample): tracker("device", sample)
        case .recentre(let axes, let moment): "{\"recentre\":{\"axes\":\"\(axes.rawValue)\",\"time\":\(moment)}}\n"
        case .playbackLead(let seconds, let moment): "{\"lead\":{\"seconds\":\(seconds),\"time\":\(moment)}}\n"
        case .following(let choices, let moment):
            FollowingLine(following: .init(choices: choices, time: moment)).jsonLine + "\n"
        case .replaced(let place, let name, let moment):
            ReplacedLine(replaced: .init(tracker: place.rawValue, name: name, time: moment)).jsonLine + "\n"
        }
    }

    /// Returns the line for a change.
    static func change(_ change: MotionRecording.Change) -> String {
        switch change.state {
        case .room(let isOn): return "{\"room\":{\"frame\":\(change.frame),\"on\":\(isOn)}}\n"
        case .headphones(let isOn): return "{\"headphones\":{\"frame\":\(change.frame),\"on\":\(isOn)}}\n"
        case .equaliser(let name):
            return HeadphonesLine(headphones: .init(frame: change.frame, on: nil, name: name)).jsonLine + "\n"
        case .loudspeakers(let silent, let inverted):
            let entry = LoudspeakersLine.Entry(frame: change.frame, silent: silent, inverted: inverted)
            return LoudspeakersLine(loudspeakers: entry).jsonLine + "\n"
        case .input(let name, let controls):
            let entry = InputLine.Entry(name: name, frame: change.frame, controls: RecordedControls(controls))
            return InputLine(input: entry).jsonLine + "\n"
        }
    }

    private static func tracker(_ name: String, _ sample: TrackerSample) -> String {
        var numbers = [sample.time, sample.arrival]
        var said: String
        switch sample.motion {
        case .orientation(let pose, let rate):
            let q = pose.quaternion
            numbers += [q.w, q.x, q.y, q.z]
            said = "\"orientation\":[\(q.w),\(q.x),\(q.y),\(q.z)]"
            if let rate {
                numbers += [rate.x, rate.y, rate.z]
                said += ",\"rate\":\(vector(rate))"
            }
        case .inertial(let measured):
            numbers += [measured.rate, measured.force].flatMap { [$0.x, $0.y, $0.z] }
            said = "\"rate\":\(vector(measured.rate)),\"force\":\(vector(measured.force))"
            if let field = measured.field {
                numbers += [field.x, field.y, field.z]
                said += ",\"field\":\(vector(field))"
            }
        case .recentre(let full): said = "\"recentre\":\"\(axes(full))\""
        case .discontinuity: said = "\"discontinuity\":true"
        }
        guard numbers.allSatisfy(\.isFinite) else { return "" }
        return "{\"\(name)\":{\"time\":\(sample.time),\"arrival\":\(sample.arrival),\(said)}}\n"
    }

    private static func axes(_ full: Bool) -> String { full ? "full" : "yaw" }

    private static func vector(_ v: SIMD3<Double>) -> String { "[\(v.x),\(v.y),\(v.z)]" }
}

extension MotionRecording {
    /// Text of the whole recording.
    package var text: String {
        MotionLine.header(circumstances) + events.map(MotionLine.event).joined() + MotionLine.start
            + changes.map(MotionLine.change).joined() + turns.map(MotionLine.turn).joined()
            + plugins.map(MotionLine.plugin).joined() + poses.map(MotionLine.pose).joined()
    }
}

/// Line for the headphones' equalisation, with its switch or the name of a new equalisation.
struct HeadphonesLine: Codable {
    /// Frame, with the new switch or name.
    struct Entry: Codable {
        var frame: Int
        var on: Bool?
        var name: String?
    }
    var headphones: Entry
}

/// Line for a tracker that took the place of another one.
struct ReplacedLine: Codable {
    /// `head` or `device`, the new tracker's name, and the time.
    struct Entry: Codable {
        var tracker: String
        var name: String?
        var time: Double
    }
    var replaced: Entry
}

/// Line for the switches of the virtual loudspeakers.
struct LoudspeakersLine: Codable {
    /// Frame, with the names of the silent loudspeakers and of those with inverted polarity.
    struct Entry: Codable {
        var frame: Int
        var silent: [String]?
        var inverted: [String]?
    }
    var loudspeakers: Entry
}

/// Line for an input's controls.
struct InputLine: Encodable {
    /// Controls, with the name of the input and the frame.
    struct Entry: Encodable {
        var name: String
        var frame: Int
        var controls: RecordedControls
    }
    var input: Entry
}
