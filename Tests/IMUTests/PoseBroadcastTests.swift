import Foundation
import Geometry
import SoundFixtures
import Testing

@testable import IMU

@Suite(.timeLimit(.minutes(10))) struct PoseBroadcastTests {
    /// Every message that contains a whole orientation is read back as the same orientation.
    @Test(arguments: PoseBroadcast.Destination.profiles.map(\.address))
    func whatIsSentIsReadBack(address: String) async throws {
        let gathered = Gathered()
        let inlet = TrackerInlet(
            TrackerSpecification(.udp(format: "osc", address: "127.0.0.1", port: 0)), clock: monotonicSeconds
        ) { gathered.add($0) }
        try await inlet.start()
        let port = try #require(inlet.localPort)
        let broadcast = try PoseBroadcast(to: .init(parsing: "\(port),\(address)"))
        let pose = Quaternion(yaw: 2, pitch: -0.6, roll: 0.4)
        #expect(try await eventually({ broadcast.send(pose) }, { !gathered.all.isEmpty }))
        guard case .orientation(let rotation, _) = gathered.all[0].motion else {
            Issue.record("no orientation")
            return
        }
        #expect(rotation.quaternion.angle(to: pose) < 1e-5)
        await inlet.stop()
    }

    @Test func destinationsAreRead() throws {
        let plain = try PoseBroadcast.Destination(parsing: "9000")
        #expect(plain.port == 9000 && plain.address == "127.0.0.1" && plain.profile.address == "/ypr")
        let scene = try PoseBroadcast.Destination(parsing: "192.168.1.5:8000,SceneRotator/quaternions")
        #expect(scene.address == "192.168.1.5" && scene.profile.turnsScene)
        #expect(throws: TrackerError.self) { try PoseBroadcast.Destination(parsing: "9000,/nothing") }
        #expect(throws: TrackerError.self) { try PoseBroadcast.Destination(parsing: "here") }
        // A single angle is no pose.
        #expect(throws: TrackerError.self) { try PoseBroadcast.Destination(parsing: "9000,/yaw") }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/oscdump"),
            "oscdump is not installed (liblo-tools)"))
    func oscdumpUnderstandsIt() async throws {
        // A port that the system chose, released at once, because oscdump does not tell which port it has.
        let port = try Mailbox().port
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/oscdump")
        process.arguments = ["-L", "\(port)"]
        // The output goes to a file, because Foundation closes a pipe with a handler while the system still watches it.
        let scratch = try Scratch()
        let log = scratch("heard")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        func heard() -> String { String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self) }
        let printing = try #require(FileHandle(forWritingAtPath: log))
        process.standardOutput = printing
        process.standardError = FileHandle.nullDevice
        try process.run()
        // SIGKILL is used, because signals that the test runner blocks are blocked in this process, too.
        defer { kill(process.processIdentifier, SIGKILL) }
        let broadcast = try PoseBroadcast(to: .init(parsing: "\(port),/ypr"))
        let isHeard = try await eventually {
            broadcast.send(Quaternion(yaw: .pi / 6, pitch: 0, roll: 0))
        } _: {
            heard().contains("/ypr fff 30.0")
        }
        #expect(isHeard, "\(heard())")
    }
}
