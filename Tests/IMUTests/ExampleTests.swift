import Foundation
import Geometry
import IMU
import Synchronization
import Testing
import Waiting

/// The logs and the sender that are given as examples.
@Suite struct ExampleTests {
    private let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples")

    @Test(arguments: ["turn", "look-around", "nod-and-tilt", "bus-head", "bus-device"])
    func everyExampleIsAMotionLog(name: String) throws {
        let log = try OrientationLog<Body, World>(contentsOf: examples.path + "/motion/\(name).csv")
        #expect(log.times.first == 0)
        #expect(log.duration >= 7)
    }

    @Test func thePassengerLooksBackToTheFront() throws {
        let head = try OrientationLog<Body, World>(contentsOf: examples.path + "/motion/bus-head.csv")
        let device = try OrientationLog<Body, World>(contentsOf: examples.path + "/motion/bus-device.csv")
        func relative(_ t: Double) -> Double {
            (device.pose(at: t).quaternion.conjugate * head.pose(at: t).quaternion).yaw * 180 / .pi
        }
        #expect(abs(relative(4.5) - 40) < 0.2)
        #expect(abs(relative(7)) < 0.01)
    }

    @Test(arguments: [("osc", "ypr"), ("osc", "quaternion"), ("osc", "scenerotator"), ("opentrack", "ypr")])
    func theSenderSaysWhatTheLogSays(kind: String, form: String) async throws {
        let samples = Mutex<[OrientationSample]>([])
        let source = TrackerSpecification.Source.udp(format: kind, address: "127.0.0.1", port: 0)
        let inlet = TrackerInlet(TrackerSpecification(source), clock: { 0 }) { sample in
            if let sample = OrientationSample(sample) { samples.withLock { $0.append(sample) } }
        }
        try await inlet.start()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let poses = (0..<20).map { Rotation<Body, World>(yaw: Double($0) / 10, pitch: 0.3, roll: -0.2) }
        let log = try OrientationLog(times: (0..<20).map { Double($0) / 100 }, poses: poses)
        try log.csv.write(toFile: path, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let sender = examples.path + "/trackers/send_motion.py"
        process.arguments = ["python3", sender, path, "\(kind):\(inlet.localPort ?? 0)", "--as", form]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(await comes { samples.withLock { $0.count >= 20 } })
        await inlet.stop()
        let heard = samples.withLock { $0 }
        #expect(heard.count == 20)
        for (sample, pose) in zip(heard, poses) { #expect(sample.bodyToWorld.angle(to: pose) < 1e-5) }
    }
}
