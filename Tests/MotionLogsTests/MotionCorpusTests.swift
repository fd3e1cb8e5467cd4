import AudioMix
import Foundation
import Geometry
import HeadTracking
import IMU
import Soundstage
import Testing

@testable import MotionLogs

/// Motion logs as the versions of the program have written them (`Corpus`): each is read with all its values.
@Suite struct MotionCorpusTests {
    private static func log(_ name: String) throws -> MotionRecording {
        let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus")
        let file = corpus.appendingPathComponent(name)
        let log = try MotionRecording(contentsOf: file.path)
        // This version writes the same content, and the header in the same form.
        #expect(try MotionRecording(ndjson: Data(log.text.utf8)) == log)
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix(MotionLine.header(log.circumstances)))
        return log
    }

    private static let turned = Quaternion(w: 0.6, x: 0, y: 0, z: 0.8)

    /// Returns the controls in the change of a log at `index`, by default the first; nil if it is not a change of this
    /// input's controls.
    private static func controls(
        _ log: MotionRecording, of name: String = "main", at index: Int = 0
    ) -> ProgrammeControls? {
        guard log.changes.indices.contains(index), case .input(name, let controls) = log.changes[index].state
        else { return nil }
        return controls
    }

    @Test func `The first log has poses and the events of the trackers`() throws {
        let log = try Self.log("motion-1.ndjson")
        #expect(
            log.circumstances
                == MotionRecording.Circumstances(
                    sampleRate: 48_000, slice: 64, period: 256, layout: "5.1", hrtf: "kemar", head: "osc:9000",
                    device: "none", yawPull: 0.1))
        let straight = TrackerSample(
            time: 1.5, .orientation(Rotation(unit: Quaternion(w: 1, x: 0, y: 0, z: 0))), arrival: 1.51)
        #expect(log.events == [.head(straight), .playbackLead(0.0213, at: 1.52), .recentre(.yaw, at: 1.6)])
        #expect(log.poses.map(\.frame) == [0, 128] && log.poses.map(\.heardAt) == [2.5, nil])
        #expect(log.poses[1].headToStage == Self.turned)
        #expect(log.changes.isEmpty && log.turns.isEmpty && log.plugins.isEmpty)
    }

    @Test func `A log with changes has the states of inputs and room, without those of later versions`() throws {
        let log = try Self.log("motion-1-changes.ndjson")
        #expect(log.circumstances.room == "studio" && log.circumstances.upmix == "energy")
        #expect(log.circumstances.headphones == nil && log.circumstances.sampleRate == 44_100)
        #expect(log.changes.map(\.frame) == [0, 0, 64])
        #expect(log.changes[1].state == .room(isOn: true) && log.changes[2].state == .room(isOn: false))
        let controls = try #require(Self.controls(log))
        #expect(controls.level == 0.5 && controls.upmix.isOn && controls.policy == .everything)
        #expect(controls.upmix.amounts == UpmixControls(centre: 1, width: 0, ambience: 1))
        #expect(!controls.isMuted && !controls.isInverted && controls.gainPastStage == 1)
        #expect(controls.mix.style == .standard)
        #expect(log.turns == [.init(frame: 0, perFrame: -1e-5)])
    }

    @Test func `A log with plugins has the changes of all parts`() throws {
        let log = try Self.log("motion-1-plugins.ndjson")
        #expect(log.circumstances.headphones == "hd600.txt" && log.circumstances.device == "serial:/dev/ttyACM0")
        let measured = InertialSample(rate: SIMD3(0.1, 0, 0), force: SIMD3(0, 0, 9.81), field: SIMD3(48, 0, -3))
        var choices = HeadTrackerOptions.Choices()
        (choices.reference, choices.follow, choices.yawPull) = (.still, SIMD3(1, 0.5, 0), 0.1)
        #expect(
            log.events == [
                .following(choices, at: 1.25),
                .device(TrackerSample(time: 1.5, .inertial(measured))),
                .head(TrackerSample(time: 1.75, .recentre(full: true))),
            ])
        let controls = try #require(Self.controls(log))
        #expect(controls.isMuted && controls.isInverted && controls.gainPastStage == 0.6 && controls.duck == 0.25)
        #expect(
            controls.mix
                == AudioMixControls(
                    style: .inFrame, intensity: 0.5, keepsSpeech: true, cameraHeading: -0.7, fieldOfView: 1.1))
        #expect(controls.mode == .fixed && controls.place == Self.turned && controls.width == 0.5)
        #expect(!controls.upmix.isOn && controls.renditions.choice == .auto)
        #expect(
            controls.dynamics
                == DynamicsControls(
                    normalisation: -3, profile: .filmLight, cutScale: 1, boostScale: 0.5, reference: -23))
        #expect(log.changes.dropFirst().map(\.state) == [.headphones(isOn: true), .equaliser("hd650.txt")])
        #expect(
            log.plugins == [
                .init(name: "amp", frame: 0, controls: ["gain": -3], bypass: false),
                .init(name: "amp", frame: 200, controls: ["gain": -6]),
            ])
        #expect(log.poses.map(\.heardAt) == [2.5, 2.51] && log.poses[1].headToStage == Self.turned)
    }

    @Test func `A log with parameters of head tracking has those that it states, and else the defaults`() throws {
        let log = try Self.log("motion-1-following.ndjson")
        var (choices, partial) = (HeadTrackerOptions.Choices(), HeadTrackerOptions.Choices())
        (choices.reference, choices.follow, choices.yawPull) = (.head, SIMD3(1, 1 / 3, 0), 0.25)
        partial.yawPull = 0
        #expect(log.events == [.following(choices, at: 1.25), .following(partial, at: 1e5 / 3)])
        #expect(partial.reference == .device && partial.follow == SIMD3(1, 1, 1))
        // The form of this version.
        let written =
            #"{"following":{"follow":[1,0.3333333333333333,0],"reference":"head","time":1.25,"yawPull":0.25}}"#
        #expect(MotionLine.event(log.events[0]) == written + "\n")
    }

    @Test func `A log with controls has those that it states, and for the others the defaults of its format`() throws {
        let log = try Self.log("motion-1-controls.ndjson")
        #expect(log.changes.map(\.frame) == [0, 0, 0, 64])
        let main = try #require(Self.controls(log))
        #expect(main.level == 0.33333334 && main.isMuted && main.isInverted && main.gainPastStage == 0.6)
        #expect(main.mode == .fixed && main.policy == .multichannel && main.place == Self.turned && main.width == 0.5)
        #expect(!main.upmix.isOn && main.upmix.amounts == UpmixControls(centre: 1, width: 0, ambience: 0.5))
        #expect(
            main.mix
                == AudioMixControls(
                    style: .inFrame, intensity: 0.5, keepsSpeech: false, cameraHeading: -0.7, fieldOfView: 1.1))
        #expect(main.renditions.choice == .stereo)
        #expect(
            main.dynamics
                == DynamicsControls(normalisation: -3, profile: .speech, cutScale: 1, boostScale: 1, reference: -31))
        // If a default of the program changes, `RecordedControls.neutral` must keep the former default.
        let talk = try #require(Self.controls(log, of: "talk", at: 1))
        #expect(talk.level == 1 && talk.duck == 1 && talk.gainPastStage == 1 && !talk.isMuted && !talk.isInverted)
        #expect(talk.mode == .tracked && talk.policy == .everything && talk.place == .identity && talk.width == 0)
        #expect(talk.upmix.isOn && talk.upmix.amounts == UpmixControls(centre: 1, width: 0, ambience: 1))
        #expect(
            talk.mix
                == AudioMixControls(
                    style: .standard, intensity: 1, keepsSpeech: false, cameraHeading: 0, fieldOfView: .pi / 3))
        #expect(talk.renditions.choice == .auto)
        #expect(
            talk.dynamics
                == DynamicsControls(normalisation: 0, profile: .none, cutScale: 1, boostScale: 1, reference: -31))
        #expect(Self.controls(log, of: "talk", at: 3)?.level == 0.5)
    }
}
