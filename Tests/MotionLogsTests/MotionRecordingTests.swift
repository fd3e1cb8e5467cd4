import Foundation
import Geometry
import HeadTracking
import IMU
import Rendering
import Signal
import Soundstage
import StoredProperties
import Testing

@testable import MotionLogs

@Suite struct MotionRecordingTests {
    private let circumstances = MotionRecording.Circumstances(
        sampleRate: 48_000, slice: 64, period: 256, layout: "5.1", hrtf: "some \"set\"", head: "osc:9000",
        device: "none", yawPull: 0.1)

    /// Seeded rotations whose components have all their bits.
    static func rotations(_ count: Int) -> [Quaternion] {
        var state: UInt64 = 42
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53) - 0.5
        }
        return (0..<count).map { _ in Quaternion(w: next(), x: next(), y: next(), z: next()).normalized }
    }

    private func read(_ text: String) throws -> MotionRecording { try MotionRecording(ndjson: Data(text.utf8)) }

    private func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).ndjson").path
    }

    private let header =
        #"{"motion":{"version":1,"sampleRate":48000,"slice":64,"period":256,"layout":"5.1","hrtf":"x"}}"# + "\n"

    @Test func everyBitOfItComesBackFromItsText() throws {
        let rotations = Self.rotations(300)
        let body = rotations.map { Rotation<Body, World>($0) }
        var recording = MotionRecording(circumstances: circumstances, poses: [], events: [])
        for (index, q) in rotations.enumerated() {
            let live = index % 3 != 0
            recording.poses.append(
                MotionRecording.Pose(frame: 64 * index, headToStage: q, heardAt: live ? 1 / (1 + Double(index)) : nil))
        }
        let vector = SIMD3(0.1, -1e-17, 1 / 3)
        var choices = HeadTrackerOptions.Choices()
        (choices.reference, choices.follow) = (.still, SIMD3(1, 0.1 + 0.2, 0))
        recording.events = [
            .playbackLead(0.1 + 0.2, at: 1),
            .following(choices, at: 1),
            .head(TrackerSample(time: 1 / 3, .orientation(body[0]), arrival: 2 / 3)),
            .device(TrackerSample(time: 1e5 / 3, .orientation(body[1], rate: vector), arrival: 1e5)),
            .head(TrackerSample(time: 2, .inertial(InertialSample(rate: vector, force: SIMD3(0, 0, 9.81))))),
            .device(
                TrackerSample(
                    time: 3, .inertial(InertialSample(rate: vector, force: vector, field: SIMD3(48.1, 0, -3))))),
            .head(TrackerSample(time: 4, .recentre(full: true))), .device(TrackerSample(time: 5, .discontinuity)),
            .recentre(.yaw, at: 6), .replaced(.device, name: "usb \"b\"", at: 1e5 / 3),
        ]
        let controls = RecordedControlsTests.controls.recorded
        recording.changes = [
            MotionRecording.Change(frame: 0, state: .input("main", controls)),
            .init(frame: 64, state: .room(isOn: false)),
            .init(frame: 192, state: .input("talk", controls)),
            .init(frame: 192, state: .headphones(isOn: false)), .init(frame: 256, state: .equaliser("a \"curve\".txt")),
            .init(frame: 320, state: .loudspeakers(silent: ["FL", "h\"1"], inverted: ["SL"])),
            .init(frame: 384, state: .loudspeakers(silent: [], inverted: [])),
        ]
        recording.turns = [.init(frame: 0, perFrame: 0), .init(frame: 64, perFrame: -1e-5 / 3)]
        recording.plugins = [
            .init(name: "a", frame: 0, controls: ["gain": 1 / 3, "mix": -0.1], bypass: false),
            .init(name: "a", frame: 128, controls: ["mix": 1e-9]), .init(name: "b", frame: 128, bypass: true),
        ]
        let back = try read(recording.text)
        #expect(back == recording)
        #expect(try recording.poseLog().turns.last?.perFrame == -1e-5 / 3)
    }

    @Test(arguments: [
        #"{"pose":[9e18,1,0,0,0]}"#, #"{"pose":[1125899906842625,1,0,0,0]}"#, #"{"pose":[0,1,0,0,0,1e300]}"#,
        #"{"turn":[9e18,0]}"#, #"{"room":{"frame":9223372036854775807,"on":true}}"#,
        #"{"room":{"frame":-1,"on":true}}"#, #"{"loudspeakers":{"frame":-1}}"#,
        #"{"head":{"time":0,"arrival":0,"rate":[1e160,0,0],"force":[0,0,9.8]}}"#,
        #"{"head":{"time":1e300,"arrival":0,"rate":[0,0,0],"force":[0,0,9.8]}}"#,
        #"{"head":{"time":0,"arrival":0,"orientation":[1,0,0,0],"rate":[1e160,0,0]}}"#,
        #"{"replaced":{"tracker":"hat","time":0}}"#, #"{"replaced":{"tracker":"head","time":1e300}}"#,
        #"{"lead":{"seconds":1e300,"time":0}}"#, #"{"recentre":{"axes":"yaw","time":-1e300}}"#,
    ])
    func `A number that no session's log holds is refused, and where`(line: String) {
        let error = #expect(throws: MotionRecordingError.self, "\(line)") {
            try read(header + "{\"pose\":[0,1,0,0,0]}\n" + line + "\n")
        }
        #expect(error?.description.hasPrefix("line 3: ") == true, "\(String(describing: error))")
    }

    @Test func `A line of more than any line holds is refused before it is read`() {
        let zeros = "[0" + String(repeating: ",0", count: 999_999) + "]"
        for line in ["{\"pose\":\(zeros)}", "{\"x\":\"\(String(repeating: "x", count: 100_000))\"}"] {
            let error = #expect(throws: MotionRecordingError.self) { try read(header + line + "\n") }
            #expect(error?.description.hasPrefix("line 2: ") == true, "\(String(describing: error))")
        }
    }

    @Test func noSettingOfTheSessionIsMissingInTheHeader() throws {
        let whole = MotionRecording.Circumstances(
            sampleRate: 44_100, slice: 128, period: 256, layout: "5.1", hrtf: "kemar", head: "osc:9000", device: "usb",
            yawPull: 0.2, room: "studio", upmix: "identity live 5.1", headphones: "a curve")
        let empty = MotionRecording.Circumstances(
            sampleRate: 1, slice: 1, period: 1, layout: "", hrtf: "", head: "none", device: "none", yawPull: 0)
        // A new setting needs a value in `whole` here.
        #expect(StoredProperties.same(whole, empty) == ["version"])
        let pose = MotionRecording.Pose(frame: 0, headToStage: .identity, heardAt: nil)
        let recording = MotionRecording(circumstances: whole, poses: [pose], events: [])
        #expect(try read(recording.text).circumstances == whole)
    }

    @Test func whatWasExpectedOfTheHeadBelongsToItsStream() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = try MotionRecorder(path: path, circumstances, step: 64)
        func pose(_ frame: Int) -> PoseRecord { PoseRecord(streamFrame: frame, headToStage: .identity) }
        func turn(_ frame: Int, _ perFrame: Double) -> TurnRecord {
            TurnRecord(streamFrame: frame, perFrame: perFrame)
        }
        let start = TurnRecord(streamFrame: 0, perFrame: 0, isStart: true)
        // The turns of the second stream arrive before its first pose.
        try recorder.append([pose(0), pose(64)], [], [], [start, turn(0, 1e-5), start, turn(0, 2e-5)])
        try recorder.append([pose(0), pose(64)], [], [], [turn(64, 3e-5)])
        try recorder.finish()
        let recording = try MotionRecording(contentsOf: path)
        #expect(recording.turns.map(\.perFrame) == [2e-5, 3e-5] && recording.turns.map(\.frame) == [0, 64])
        for line in ["[0]", "[-1,0]", "[0.5,0]", "[1,9]"] {
            #expect(throws: MotionRecordingError.self) { try read(header + "{\"turn\":\(line)}\n") }
        }
    }

    @Test func whatWasAskedIsWrittenWhereItsStreamBegins() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = try MotionRecorder(path: path, circumstances, step: 64, names: ["main", "talk"])
        var controls = ProgrammeControls(Programme(layout: Layout(name: "none", loudspeakers: [])))
        func start(_ programme: Int) -> StageChange {
            StageChange(programme: programme, controls: controls, frame: 0, isStart: true)
        }
        func room(_ isOn: Bool, _ frame: Int, isStart: Bool = false) -> StageChange {
            StageChange(.room, isOn: isOn, filling: controls, frame: frame, isStart: isStart)
        }
        func pose(_ frame: Int) -> PoseRecord { PoseRecord(streamFrame: frame, headToStage: .identity) }
        try recorder.append([pose(0), pose(64)], [], [start(0), start(1), room(true, 0, isStart: true)])
        controls.level = 0.5
        let quieter = StageChange(programme: 1, controls: controls, frame: 128)
        // The next stream's beginning is known before its first pose; the same twice is written once.
        try recorder.append(
            [pose(128)], [], [quieter, quieter, start(0), start(1), room(false, 0, isStart: true), room(true, 64)])
        try recorder.append([pose(0), pose(64)], [], [])
        try recorder.finish()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.components(separatedBy: "\"frame\":128").count == 2)
        let back = try MotionRecording(contentsOf: path)
        #expect(back.changes.map(\.frame) == [0, 0, 0, 64])
        #expect(back.changes[2].state == .room(isOn: false) && back.changes[3].state == .room(isOn: true))
        guard case .input("main", let main) = back.changes[0].state else {
            Issue.record("no input first")
            return
        }
        #expect(main.level == 0.5)
    }

    @Test func `An equalisation that was loaded before a new start is written again after it`() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var own = circumstances
        own.headphones = "a"
        let recorder = try MotionRecorder(path: path, own, step: 64)
        func pose(_ frame: Int) -> PoseRecord { PoseRecord(streamFrame: frame, headToStage: .identity) }
        try recorder.append([pose(0)], [], headphones: "a")
        try recorder.append([pose(64)], [], headphones: "b")
        try recorder.append([pose(0), pose(64)], [], headphones: "b")
        try recorder.append([pose(128)], [], headphones: "b")
        try recorder.finish()
        let back = try MotionRecording(contentsOf: path)
        #expect(back.changes == [.init(frame: 0, state: .equaliser("b"))])
    }

    @Test func `The approximate frame of an equalisation needs no order among the other changes`() throws {
        let name = #"{"headphones":{"frame":100,"name":"b"}}"# + "\n"
        func room(_ frame: Int) -> String { "{\"room\":{\"frame\":\(frame),\"on\":true}}\n" }
        let pose = #"{"pose":[0,1,0,0,0]}"# + "\n"
        for lines in [room(128) + name, name + room(64), room(64) + name + room(64)] {
            #expect(try read(header + lines + pose).changes.contains { $0.state == .equaliser("b") }, "\(lines)")
        }
        #expect(throws: MotionRecordingError.self) { try read(header + room(128) + name + room(64) + pose) }
    }

    @Test func `Switches of loudspeakers are written by name, and replayed by name`() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = try MotionRecorder(
            path: path, circumstances, step: 64, names: ["main", "talk"], loudspeakers: ["FL", "FR", "FL"])
        let controls = ProgrammeControls(Programme(layout: Layout(name: "none", loudspeakers: [])))
        func switched(_ silent: UInt64, _ inverted: UInt64, _ frame: Int, isStart: Bool = false) -> StageChange {
            StageChange(
                LoudspeakerSwitches(silent: silent, inverted: inverted), filling: controls, frame: frame,
                isStart: isStart)
        }
        let poses = [0, 64, 128].map { PoseRecord(streamFrame: $0, headToStage: .identity) }
        try recorder.append(poses, [], [switched(0b101, 0b010, 0, isStart: true), switched(0, 0, 64)])
        try recorder.finish()
        let back = try MotionRecording(contentsOf: path)
        #expect(
            back.changes == [
                .init(frame: 0, state: .loudspeakers(silent: ["FL"], inverted: ["FR"])),
                .init(frame: 64, state: .loudspeakers(silent: [], inverted: [])),
            ])
        // On a stage of other inputs the names count.
        let stage = try ["stereo", "mono"].map { name in
            let programme = Programme(layout: try Layout.named(name))
            return try ProgrammeRenderer(programme, controls: ProgrammeControls(programme), sampleRate: .studio)
        }
        let automation = back.automation(for: stage)
        #expect(automation.map(\.frame) == [0, 64] && automation.allSatisfy { $0.part == .loudspeakers })
        #expect((0..<3).map { automation[0].switches.gain(of: $0) } == [0, -1, 1])
        #expect(automation[1].switches.isNeutral)
    }

    @Test func aRendererIsGivenTheRecordedBitsAtTheirFrames() throws {
        let rotations = Self.rotations(2000)
        let recording = MotionRecording(
            circumstances: circumstances,
            poses: rotations.enumerated().map { MotionRecording.Pose(frame: 64 * $0, headToStage: $1, heardAt: nil) },
            events: [])
        let log = try recording.poseLog()
        for (entry, (index, pose)) in zip(log.entries, rotations.enumerated()) {
            #expect(entry.headToStage.quaternion == pose && entry.seconds == Double(64 * index) / 48_000)
        }
    }

    @Test func whatTheRecorderWritesIsReadBack() throws {
        let path = temporaryPath()
        let rotations = Self.rotations(4)
        let recorder = try MotionRecorder(path: path, circumstances, step: 64)
        let sample = TrackerSample(time: 1, .orientation(.identity), arrival: 1.5)
        try recorder.append([PoseRecord(streamFrame: 0, headToStage: rotations[0], heardAt: 7)], [.head(sample)])
        try recorder.append([PoseRecord(streamFrame: 64, headToStage: rotations[1])], [])
        #expect(!FileManager.default.fileExists(atPath: path))
        // After a new start, the tracker's earlier data are kept.
        try recorder.append(
            [
                PoseRecord(streamFrame: 0, headToStage: rotations[2], heardAt: 8),
                PoseRecord(streamFrame: 64, headToStage: rotations[3], heardAt: 8.1),
            ], [.recentre(.yaw, at: 9)])
        try recorder.finish()
        let back = try MotionRecording(contentsOf: path)
        #expect(
            back.poses.map(\.headToStage) == [rotations[2], rotations[3]] && back.poses.map(\.heardAt) == [8, 8.1])
        #expect(back.events == [.head(sample), .recentre(.yaw, at: 9)])
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func posesThatWereLostAreSaid() throws {
        let path = temporaryPath()
        let recorder = try MotionRecorder(path: path, circumstances, step: 64)
        try recorder.append(
            [0, 64, 256].map { PoseRecord(streamFrame: $0, headToStage: .identity) }, [])
        let error = #expect(throws: MotionLogError.self) { try recorder.finish() }
        #expect(error?.description.contains("lacks 2 poses") == true)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test(arguments: [
        ("", "line 1 is not"), ("t,w,x,y,z\n0,1,0,0,0\n", "line 1 is not"),
        (#"{"pose":[0,1,0,0,0]}"#, "line 1 is not"),
        (#"{"motion":{"version":2}}"#, "version 2"), (#"{"motion":{"version":1}}"#, "line 1: 'motion.sampleRate'"),
        ("HEADER", "no pose"), ("HEADER\n{\"pose\":[0,1,0,0]}", "line 3: 'pose' has 4 numbers"),
        ("HEADER{\"pose\":[0,1,0,0,0]}\n{\"pose\":[64,1,0,0", "line 3: the line is cut off"),
        ("HEADER{\"pose\":[0.5,1,0,0,0]}", "line 2: the pose's frame, 0.5"),
        ("HEADER{\"pose\":[0,1,0,0,0.1]}", "line 2: the quaternion has length 1.00"),
        ("HEADER{\"pose\":[64,1,0,0,0]}\n{\"pose\":[64,1,0,0,0]}", "line 3: the pose's frame 64 does not come after"),
        ("HEADER{\"pose\":[0,1,0,0,0]}\n{\"head\":{\"time\":1}}\n", "line 3: 'arrival' is missing"),
        ("HEADER{\"head\":{\"time\":1,\"arrival\":1}}\n", "line 2: a tracker's line holds neither"),
        ("HEADER{\"pose\":[0,1,0,0,0]}\n{\"start\":0}\n", "no pose"), ("HEADERpose\n", "line 2: this is not a JSON"),
        (
            "HEADER{\"room\":{\"frame\":64,\"on\":true}}\n{\"room\":{\"frame\":0,\"on\":true}}",
            "line 3: the change at frame 0"
        ),
        ("HEADER{\"input\":{\"name\":\"main\"}}", "line 2: 'frame' is missing"),
        ("HEADER{\"pose\":\"x\"}\n", "line 2: 'pose' is not what it must be"),
    ])
    func faultsAreNamedByLine(_ text: String, _ words: String) {
        let error = #expect(throws: MotionRecordingError.self) {
            _ = try read(text.replacing("HEADER", with: header))
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test func emptyLinesAndUnknownKeysArePassedOver() throws {
        let recording = try read(header + "\r\n\n{\"weather\":\"rain\"}\n{\"pose\":[0,1,0,0,0],\"by\":\"hand\"}")
        #expect(recording.poses.count == 1)
    }
}
