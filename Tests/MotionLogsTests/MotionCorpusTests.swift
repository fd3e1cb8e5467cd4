import Foundation
import Geometry
import HeadTracking
import IMU
import Testing

@testable import MotionLogs

/// Motion logs as the versions of the program have written them (`Corpus`): each is read with all its values.
@Suite struct MotionCorpusTests {
    private static func log(_ name: String) throws -> MotionRecording {
        let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus")
        let log = try MotionRecording(contentsOf: corpus.appendingPathComponent(name).path)
        // This version writes the same content.
        #expect(try MotionRecording(ndjson: Data(log.text.utf8)) == log)
        return log
    }

    private static let turned = Quaternion(w: 0.6, x: 0, y: 0, z: 0.8)

    /// Returns the state of the input in a log's first change; nil for another change.
    private static func state(_ log: MotionRecording) -> MotionRecording.InputState? {
        guard case .input("main", let state)? = log.changes.first?.state else { return nil }
        return state
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
        let state = try #require(Self.state(log))
        #expect(state.level == 0.5 && state.amounts == [1, 0, 1] && state.upmix && state.spatialize == "all")
        #expect(state.mute == nil && state.inverted == nil && state.mix == nil && state.passGain == nil)
        #expect(log.turns == [.init(frame: 0, perFrame: -1e-5)])
    }

    @Test func `A log with plugins has the changes of all parts`() throws {
        let log = try Self.log("motion-1-plugins.ndjson")
        #expect(log.circumstances.headphones == "hd600.txt" && log.circumstances.device == "serial:/dev/ttyACM0")
        let measured = InertialSample(rate: SIMD3(0.1, 0, 0), force: SIMD3(0, 0, 9.81), field: SIMD3(48, 0, -3))
        #expect(
            log.events == [
                .following(.still, SIMD3(1, 0.5, 0), yawPull: 0.1, at: 1.25),
                .device(TrackerSample(time: 1.5, .inertial(measured))),
                .head(TrackerSample(time: 1.75, .recentre(full: true))),
            ])
        let state = try #require(Self.state(log))
        #expect(state.mute == true && state.inverted == true && state.passGain == 0.6 && state.drc == "film-light")
        #expect(state.mix?.style == "in-frame" && state.mix?.intensity == 0.5 && state.place == [0.6, 0, 0, 0.8])
        #expect(log.changes.dropFirst().map(\.state) == [.headphones(isOn: true), .equaliser("hd650.txt")])
        #expect(
            log.plugins == [
                .init(name: "amp", frame: 0, controls: ["gain": -3], bypass: false),
                .init(name: "amp", frame: 200, controls: ["gain": -6]),
            ])
        #expect(log.poses.map(\.heardAt) == [2.5, 2.51] && log.poses[1].headToStage == Self.turned)
    }
}
