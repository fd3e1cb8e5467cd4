import AbsentPlaces
import Foundation
import Geometry
import HeadTracking
import IMU
import Rendering
import Signal
import Takes
import Testing

@testable import MotionLogs

@Suite struct PoseRecorderTests {
    private func record(_ frame: Int, yaw: Double) -> PoseRecord {
        PoseRecord(streamFrame: frame, headToStage: Quaternion(yaw: yaw, pitch: 0, roll: 0))
    }

    @Test func whatItWritesIsWhatPosesReads() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv").path
        let recorder = try PoseRecorder(path: path, sampleRate: .studio)
        try recorder.append([record(64, yaw: 0.1), record(128, yaw: 0.2)])
        #expect(!FileManager.default.fileExists(atPath: path))
        try recorder.finish()
        let log = try OrientationLog<Head, Stage>(contentsOf: path)
        #expect(log.times.count == 2 && abs(log.times[1] - 128 / 48_000) < 1e-9)
        #expect(abs(log.poses[1].quaternion.yaw - 0.2) < 1e-8)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func aStreamThatStartsAnewStartsTheLogAnew() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv").path
        let recorder = try PoseRecorder(path: path, sampleRate: .studio)
        try recorder.append([record(64, yaw: 1), record(128, yaw: 1)])
        try recorder.append([record(192, yaw: 1), record(64, yaw: 2), record(128, yaw: 2)])
        try recorder.finish()
        let log = try OrientationLog<Head, Stage>(contentsOf: path)
        #expect(log.times.count == 2 && log.poses.allSatisfy { abs($0.quaternion.yaw - 2) < 1e-8 })
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func aMissingThreadIsSaidAndLeavesNoFile() {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv").path
        // No system grants a stack of 2^50 bytes.
        let greedy = Worker(name: "motion log", stackBytes: 1 << 50)
        let error = #expect(throws: TakeError.self) {
            _ = try LogWriter(path: path, beginning: "t\n", replaces: false, worker: greedy)
        }
        #expect(error?.description.contains("provides no thread for 'motion log'") == true)
        #expect(!FileManager.default.fileExists(atPath: path + ".part"))
    }

    @Test func aLogThatTheDiskCannotFollowIsKeptUpToThere() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let worker = Worker(name: "motion log")
        let writer = try LogWriter(path: path, beginning: "t\n", replaces: false, worker: worker)
        try writer.append("1\n")
        // The text is longer than the queue's capacity.
        let error = #expect(throws: TakeError.self) { try writer.append(String(repeating: "2", count: 17 << 20)) }
        #expect(error == .stopped(path: path, reason: "the disk is too slow"))
        #expect(worker.join(within: 10))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "t\n1\n")
        #expect(throws: TakeError.self) { try writer.finish() }
    }

    @Test func aMissingFolderIsSaidAtOnce() {
        #expect(throws: MotionLogError.self) {
            _ = try PoseRecorder(path: AbsentPlace.path("poses.csv"), sampleRate: .studio)
        }
    }
}
