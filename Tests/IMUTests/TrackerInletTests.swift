import AbsentPlaces
import CDevices
import Foundation
import Geometry
import IMU
import OSC
import Synchronization
import Testing
import Waiting

/// Samples that an inlet delivered.
private final class Catch: Sendable {
    private let samples = Mutex<[TrackerSample]>([])
    func add(_ sample: TrackerSample) { samples.withLock { $0.append(sample) } }
    var all: [TrackerSample] { samples.withLock { $0 } }
    /// Waits until `count` samples have come.
    func wait(for count: Int) async throws -> [TrackerSample] {
        #expect(await comes { all.count >= count })
        return all
    }
}

private func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }

/// Yaw, pitch and roll in degrees; NaN where the sample has no orientation.
private func degrees(_ sample: TrackerSample) -> SIMD3<Double> {
    guard case .orientation(let rotation, _) = sample.motion else { return SIMD3(repeating: .nan) }
    return IMUTests.degrees(rotation)
}

private let oscsend = "/usr/bin/oscsend"

@Suite(.timeLimit(.minutes(10))) struct TrackerInletTests {
    private func open(
        _ source: TrackerSpecification.Source, into caught: Catch
    ) async throws -> (inlet: TrackerInlet, port: Int) {
        let inlet = TrackerInlet(TrackerSpecification(source), clock: now) { caught.add($0) }
        try await inlet.start()
        return (inlet, inlet.localPort ?? 0)
    }

    private func send(_ datagrams: [[UInt8]], to port: Int) async throws {
        let socket = pcd_udp_open("127.0.0.1", 0)
        try #require(socket >= 0)
        defer { pcd_close(socket) }
        for datagram in datagrams {
            #expect(pcd_udp_send(socket, datagram, UInt32(datagram.count), "127.0.0.1", UInt16(port)) == 0)
        }
    }

    private func run(_ path: String, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func datagramsBecomeOrientations() async throws {
        let caught = Catch()
        let (inlet, port) = try await open(.udp(format: "osc", address: "127.0.0.1", port: 0), into: caught)
        let before = now()
        try await send([Golden.ypr, [1, 2, 3], Golden.sceneRotator], to: port)
        let samples = try await caught.wait(for: 2)
        #expect(samples.count == 2)
        #expect(near(samples.first.map { degrees($0) }, SIMD3(30, -5, 2.5)))
        #expect(samples.allSatisfy { $0.time >= before && $0.time <= now() })
        #expect(inlet.health.received == 2)
        #expect(inlet.health.dropped == [.malformed: 1])
        await inlet.stop()
        #expect(inlet.localPort == nil)
    }

    @Test func opentrackIsHeard() async throws {
        let caught = Catch()
        let (inlet, port) = try await open(.udp(format: "opentrack", address: "127.0.0.1", port: 0), into: caught)
        try await send([Golden.opentrack], to: port)
        let samples = try await caught.wait(for: 1)
        #expect(near(samples.first.map { degrees($0) }, SIMD3(-30, -5, 2.5)))
        await inlet.stop()
    }

    @Test func aPortInUseIsSaidPlainly() async throws {
        let (first, port) = try await open(.udp(format: "osc", address: "127.0.0.1", port: 0), into: Catch())
        await #expect(throws: TrackerError.portInUse(address: "127.0.0.1", port: port)) {
            _ = try await open(.udp(format: "osc", address: "127.0.0.1", port: port), into: Catch())
        }
        await first.stop()
        // The port is free again after the first inlet is closed.
        let (second, _) = try await open(.udp(format: "osc", address: "127.0.0.1", port: port), into: Catch())
        await second.stop()
    }

    @Test func addressesThatAreNotHereAreSaidPlainly() async {
        await #expect(throws: TrackerError.addressNotHere("203.0.113.7")) {
            _ = try await open(.udp(format: "osc", address: "203.0.113.7", port: 9000), into: Catch())
        }
        await #expect(throws: TrackerError.badAddress("nowhere")) {
            _ = try await open(.udp(format: "osc", address: "nowhere", port: 9000), into: Catch())
        }
    }

    @Test func aLogIsPlayedInItsOwnTime() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: path) }
        let log = try OrientationLog<Body, World>(
            times: (0..<10).map { 3 + Double($0) / 50 }, poses: (0..<10).map { Rotation(yaw: Double($0) / 10) })
        try log.csv.write(to: path, atomically: true, encoding: .utf8)
        let caught = Catch()
        let (inlet, _) = try await open(.file(path: path.path), into: caught)
        let samples = try await caught.wait(for: 10)
        #expect(samples.count == 10)
        #expect(abs(samples[9].time - samples[0].time - 0.18) < 1e-9)
        #expect(inlet.health.received == 10)
        await inlet.stop()
    }

    @Test func aMissingOrFaultyLogIsNamed() async throws {
        await #expect(throws: TrackerError.self) {
            _ = try await open(.file(path: AbsentPlace.path("log.csv")), into: Catch())
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "t,w,x,y,z\n1,1,0,0,0\n0,1,0,0,0\n".write(toFile: path, atomically: true, encoding: .utf8)
        let fault = OrientationLogError.timesOutOfOrder(line: 3, time: 0, previous: 1)
        await #expect(throws: TrackerError.badLog(path: path, fault)) {
            _ = try await open(.file(path: path), into: Catch())
        }
    }

    /// liblo's sender, from Debian's liblo-tools.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: oscsend), "oscsend is not installed"))
    func oscsendIsUnderstood() async throws {
        let caught = Catch()
        let (inlet, port) = try await open(.udp(format: "osc", address: "127.0.0.1", port: 0), into: caught)
        #expect(try run(oscsend, ["127.0.0.1", "\(port)", "/ypr", "fff", "30", "-5", "2.5"]))
        #expect(try run(oscsend, ["127.0.0.1", "\(port)", "/quaternion", "dddd", "1", "0", "0", "0"]))
        let samples = try await caught.wait(for: 2)
        #expect(samples.count == 2)
        #expect(near(samples.first.map { degrees($0) }, SIMD3(30, -5, 2.5)))
        await inlet.stop()
    }

    @Test(.enabled(if: Counterparts.python != nil, Counterparts.noPython)) func pythonOSCIsUnderstood() async throws {
        let usable = try #require(Counterparts.python)
        let caught = Catch()
        let (inlet, port) = try await open(.udp(format: "osc", address: "127.0.0.1", port: 0), into: caught)
        let program = """
            from pythonosc.udp_client import SimpleUDPClient
            from pythonosc.osc_bundle_builder import OscBundleBuilder, IMMEDIATELY
            from pythonosc.osc_message_builder import OscMessageBuilder
            client = SimpleUDPClient("127.0.0.1", \(port))
            client.send_message("/SceneRotator/ypr", [-30.0, 5.0, -2.5])
            bundle = OscBundleBuilder(IMMEDIATELY)
            for name, angle in (("/yaw", 10.0), ("/pitch", 20.0), ("/roll", 5.0)):
                message = OscMessageBuilder(address=name)
                message.add_arg(angle)
                bundle.add_content(message.build())
            client.send(bundle.build())
            """
        #expect(try run(usable, ["-c", program]))
        let samples = try await caught.wait(for: 2)
        #expect(samples.count == 2)
        #expect(near(samples.first.map { degrees($0) }, SIMD3(30, 5, 2.5)))
        #expect(near(samples.last.map { degrees($0) }, SIMD3(10, 20, 5)))
        await inlet.stop()
    }
}
