import Foundation
import Gate
import Geometry
import HeadTracking
import IMU
import Soundstage

extension MotionRecording {
    /// Reads a motion log from a file. Errors state the path, and the line if a line is faulty.
    package init(contentsOf path: String) throws(MotionLogError) {
        let bytes: Data
        do throws(TrackerError) { bytes = try Data(recordingAt: path) } catch { throw .unreadable(error) }
        do throws(MotionRecordingError) { self = try MotionRecording(ndjson: bytes) } catch {
            throw .malformed(path: path, error)
        }
    }

    /// Reads the text of a motion log. Empty lines and unknown keys are ignored. Takes some microseconds per line.
    package init(ndjson bytes: Data) throws(MotionRecordingError) {
        var circumstances: Circumstances?
        var poses: [Pose] = []
        var events: [MotionEvent] = []
        var changes: [Change] = []
        var turns: [Turn] = []
        var plugins: [PluginChange] = []
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
            if let excess = JSONBounds.message.excess(in: line) { throw .badLine(number, excess) }
            let entry: Entry
            do {
                entry = try JSONValue.decode(Entry.self, from: line, within: .message)
            } catch {
                if circumstances == nil { throw .notAMotionLog }
                throw .badLine(number, Self.words(error, atEnd: line.endIndex == bytes.endIndex))
            }
            guard circumstances != nil else {
                guard let header = entry.motion else { throw .notAMotionLog }
                let read = try Circumstances(header: header)
                if let flaw = read.flaw { throw .badLine(number, flaw) }
                circumstances = read
                continue
            }
            do throws(Entry.Flaw) {
                if entry.start != nil { (poses, changes, turns, plugins) = ([], [], [], []) }
                changes += try entry.changes(after: changes.last { !$0.isOfEqualiser }?.frame ?? 0)
                if let numbers = entry.turn { turns.append(try Entry.turn(numbers, after: turns.last?.frame ?? 0)) }
                if let plugin = entry.plugin {
                    plugins.append(try Entry.plugin(plugin, after: plugins.last?.frame ?? 0))
                }
                if let numbers = entry.pose { poses.append(try Entry.pose(numbers)) }
                events += try entry.events()
            } catch {
                throw .badLine(number, error.reason)
            }
            guard entry.pose != nil, let newest = poses.last else { continue }
            let squared = newest.headToStage.squaredNorm
            guard abs(squared - 1) < 1e-9 else { throw .notUnit(line: number, length: squared.squareRoot()) }
            if poses.count > 1, newest.frame <= poses[poses.count - 2].frame {
                throw .framesOutOfOrder(line: number, frame: newest.frame, previous: poses[poses.count - 2].frame)
            }
        }
        guard let circumstances else { throw .notAMotionLog }
        guard !poses.isEmpty else { throw .noPoses }
        self.init(
            circumstances: circumstances, poses: poses, events: events, changes: changes, turns: turns, plugins: plugins
        )
    }

    private static func words(_ error: any Error, atEnd: Bool) -> String {
        func place(_ context: DecodingError.Context) -> String {
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))'"
        }
        return switch error {
        case DecodingError.keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(place(context)) is not what it must be"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(place(context)) is not valid: \(context.debugDescription)"
        case let fault as HeadTrackerOptions.Choices.Fault: fault.reason
        default: atEnd ? "the line is cut off" : "this is not a JSON object"
        }
    }
}

/// One line of the file.
private struct Entry: Decodable {
    struct Flaw: Error { let reason: String }

    struct Sample: Decodable {
        let time: Double
        let arrival: Double
        let orientation: [Double]?
        let rate: [Double]?
        let force: [Double]?
        let field: [Double]?
        let recentre: String?
        let discontinuity: Bool?
    }

    struct Recentring: Decodable {
        let axes: String
        let time: Double
    }

    /// Controls of an input. Earlier versions wrote `state` in place of `controls`.
    struct Input: Decodable {
        let name: String
        let frame: Int
        let controls: RecordedControls?
        let state: FormerControls?
    }

    struct Room: Decodable {
        let frame: Int
        let on: Bool
    }

    struct Lead: Decodable {
        let seconds: Double
        let time: Double
    }

    let motion: JSONValue?
    let start: Int?
    let pose: [Double]?
    let turn: [Double]?
    let head: Sample?
    let device: Sample?
    let recentre: Recentring?
    let lead: Lead?
    let following: FollowingLine.Entry?
    let replaced: ReplacedLine.Entry?
    let input: Input?
    let room: Room?
    let headphones: HeadphonesLine.Entry?
    let loudspeakers: LoudspeakersLine.Entry?
    let plugin: MotionRecording.PluginChange?

    static func pose(_ numbers: [Double]) throws(Flaw) -> MotionRecording.Pose {
        guard numbers.count == 5 || numbers.count == 6 else {
            throw Flaw(reason: "'pose' has \(numbers.count) numbers; frame, w, x, y, z and the time of hearing are six")
        }
        guard let frame = Int(exactly: numbers[0]), frames.contains(frame) else {
            throw Flaw(reason: "the pose's frame, \(numbers[0]), is not a whole number from 0 up")
        }
        if numbers.count == 6 { try time(numbers[5]) }
        return MotionRecording.Pose(
            frame: frame, headToStage: Quaternion(w: numbers[1], x: numbers[2], y: numbers[3], z: numbers[4]),
            heardAt: numbers.count == 6 ? numbers[5] : nil)
    }

    static func turn(_ numbers: [Double], after last: Int) throws(Flaw) -> MotionRecording.Turn {
        guard numbers.count == 2 else {
            throw Flaw(reason: "'turn' has \(numbers.count) numbers; frame and radians per frame are two")
        }
        guard let frame = Int(exactly: numbers[0]), frame >= last, frames.contains(frame) else {
            throw Flaw(reason: "the turn's frame, \(numbers[0]), is not a whole number from \(last) up")
        }
        guard abs(numbers[1]) <= .pi else { throw Flaw(reason: "a turn of \(numbers[1]) radians per frame is none") }
        return MotionRecording.Turn(frame: frame, perFrame: numbers[1])
    }

    static func plugin(
        _ change: MotionRecording.PluginChange, after last: Int
    ) throws(Flaw) -> MotionRecording.PluginChange {
        try place(change.frame)
        guard change.frame >= last else {
            throw Flaw(reason: "the plugin's change at frame \(change.frame) comes after one at \(last)")
        }
        return change
    }

    func events() throws(Flaw) -> [MotionEvent] {
        var events: [MotionEvent] = []
        if let head { events.append(.head(try Self.sample(head))) }
        if let device { events.append(.device(try Self.sample(device))) }
        if let recentre {
            guard let axes = HeadTracker.Recentring(rawValue: recentre.axes) else {
                throw Flaw(reason: "'recentre' is yaw, full or reset, not '\(recentre.axes)'")
            }
            try Self.time(recentre.time)
            events.append(.recentre(axes, at: recentre.time))
        }
        if let lead {
            try Self.time(lead.seconds, lead.time)
            events.append(.playbackLead(lead.seconds, at: lead.time))
        }
        if let following {
            try Self.time(following.time)
            if let flaw = following.choices.flaw { throw Flaw(reason: flaw) }
            events.append(.following(following.choices, at: following.time))
        }
        if let replaced {
            guard let place = MotionEvent.Place(rawValue: replaced.tracker) else {
                throw Flaw(reason: "'tracker' is head or device, not '\(replaced.tracker)'")
            }
            try Self.time(replaced.time)
            events.append(.replaced(place, name: replaced.name ?? "", at: replaced.time))
        }
        return events
    }

    /// Returns the changes in the line. Throws an error if a value is invalid, or if a change is before the frame
    /// `last`. The frame of an equalisation is only approximate: this change need not be in order.
    func changes(after last: Int) throws(Flaw) -> [MotionRecording.Change] {
        var changes: [MotionRecording.Change] = []
        if let input {
            guard input.controls != nil || input.state != nil else { throw Flaw(reason: "'controls' is missing") }
            guard let controls = input.controls?.controls ?? input.state?.controls else {
                throw Flaw(reason: "'place' has four numbers and 'amounts' has three")
            }
            if let flaw = controls.flaw { throw Flaw(reason: flaw) }
            changes.append(.init(frame: input.frame, state: .input(input.name, controls)))
        }
        if let room { changes.append(.init(frame: room.frame, state: .room(isOn: room.on))) }
        if let headphones {
            if let isOn = headphones.on {
                changes.append(.init(frame: headphones.frame, state: .headphones(isOn: isOn)))
            }
            if let name = headphones.name {
                changes.append(.init(frame: headphones.frame, state: .equaliser(name)))
            }
        }
        if let loudspeakers {
            let (silent, inverted) = (loudspeakers.silent ?? [], loudspeakers.inverted ?? [])
            changes.append(
                .init(frame: loudspeakers.frame, state: .loudspeakers(silent: silent, inverted: inverted)))
        }
        for change in changes { try Self.place(change.frame) }
        for change in changes where change.frame < last && !change.isOfEqualiser {
            throw Flaw(reason: "the change at frame \(change.frame) comes after one at \(last)")
        }
        return changes
    }

    private static func sample(_ said: Sample) throws(Flaw) -> TrackerSample {
        let motion: TrackerMotion
        if let q = said.orientation {
            guard q.count == 4 else { throw Flaw(reason: "'orientation' has \(q.count) numbers, not four") }
            let pose = Quaternion(w: q[0], x: q[1], y: q[2], z: q[3])
            guard abs(pose.squaredNorm - 1) < 1e-9 else { throw Flaw(reason: "'orientation' is not of unit length") }
            motion = .orientation(
                Rotation(unit: pose), rate: try said.rate.map { numbers throws(Flaw) in try vector(numbers, "rate") })
        } else if let rate = said.rate, let force = said.force {
            let sample = InertialSample(
                rate: try vector(rate, "rate"), force: try vector(force, "force"),
                field: try said.field.map { numbers throws(Flaw) in try vector(numbers, "field") })
            guard sample.fault() == nil else {
                throw Flaw(reason: "a tracker's line contains values that no sensor measures")
            }
            motion = .inertial(sample)
        } else if let axes = said.recentre {
            motion = .recentre(full: try isFull(axes))
        } else if said.discontinuity == true {
            motion = .discontinuity
        } else {
            throw Flaw(reason: "a tracker's line holds neither orientation, rate and force, recentre nor discontinuity")
        }
        try time(said.time, said.arrival)
        return TrackerSample(time: said.time, motion, arrival: said.arrival)
    }

    /// Range of a stream's frames; enough for forty years at the highest sample rate.
    private static let frames = 0...1 << 50

    private static func place(_ frame: Int) throws(Flaw) {
        guard frames.contains(frame) else { throw Flaw(reason: "\(frame) is not a valid frame of a stream") }
    }

    private static func time(_ seconds: Double...) throws(Flaw) {
        for seconds in seconds where !(abs(seconds) <= MotionRanges.greatestTime) {
            throw Flaw(reason: "\(seconds) is not a valid time in seconds")
        }
    }

    private static func vector(_ numbers: [Double], _ name: String) throws(Flaw) -> SIMD3<Double> {
        guard numbers.count == 3 else { throw Flaw(reason: "'\(name)' has \(numbers.count) numbers, not three") }
        guard numbers.allSatisfy({ abs($0) <= MotionRanges.greatestField }) else {
            throw Flaw(reason: "'\(name)' contains a number outside the range of such sensors")
        }
        return SIMD3(numbers[0], numbers[1], numbers[2])
    }

    private static func isFull(_ axes: String) throws(Flaw) -> Bool {
        guard axes == "yaw" || axes == "full" else { throw Flaw(reason: "'recentre' is yaw or full, not '\(axes)'") }
        return axes == "full"
    }
}
