import AbsentPlaces
import Foundation
import Geometry
import Glibc
import Synchronization
import Testing

@testable import IMU

/// Headphones without hardware: reports over a socket pair, feature reports out of memory.
private final class RecordedHeadphones: HIDPort {
    let descriptor: Int32
    private let far: Int32
    private let bytes: [UInt8]
    private let features: Mutex<[UInt8: [UInt8]]>
    private let settings = Mutex<[[UInt8]]>([])

    init(_ bytes: [UInt8] = AndroidHeadTracker.usualDescriptor, description: String = "#AndroidHeadTracker#1.0") {
        var pair: [Int32] = [0, 0]
        // Packets keep their bounds, as reports do.
        socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
        (descriptor, far) = (pair[0], pair[1])
        self.bytes = bytes
        let identity = [UInt8](repeating: 0, count: 8) + Array("BT".utf8) + [1, 2, 3, 4, 5, 6]
        features = Mutex([1: [1] + Array(description.utf8) + identity + [0]])
    }

    func say(_ report: [UInt8]) { _ = report.withUnsafeBytes { write(far, $0.baseAddress, $0.count) } }
    func unplug() { close(far) }
    var told: [[UInt8]] { settings.withLock { $0 } }

    func reportDescriptor(_ path: String) -> [UInt8] { bytes }
    func feature(_ number: UInt8, count: Int, _ path: String) throws(TrackerError) -> [UInt8] {
        guard let report = features.withLock({ $0[number] }) else {
            throw .hidDevice(path: path, step: "ask", errno: EIO)
        }
        return report
    }
    func setFeature(_ report: [UInt8], _ path: String) { settings.withLock { $0.append(report) } }
}

/// The device that is plugged in now.
private final class Socket: Sendable {
    private let plugged = Mutex<RecordedHeadphones?>(nil)
    var device: RecordedHeadphones? {
        get { plugged.withLock { $0 } }
        set { plugged.withLock { $0 = newValue } }
    }
}

@Suite(.timeLimit(.minutes(10))) struct HIDDeviceTests {
    /// A quarter turn about the axis from neck to crown, 1 rad/s.
    private static let report: [UInt8] = [1, 0, 0, 0, 0, 0xff, 0x3f, 0, 0, 0, 0, 0, 4, 0]

    private func inlet(_ socket: Socket, _ gathered: Gathered) throws -> TrackerInlet {
        let device = HIDDevice(path: "/dev/hidraw7", search: HIDSearch()) { _ in
            guard let device = socket.device else { return (RecordedHeadphones(), ENODEV) }
            return (device, 0)
        }
        return TrackerInlet(
            try .parse("hid:auto"), clock: monotonicSeconds,
            transport: DeviceTransport(device, name: "tracker hid", clock: monotonicSeconds)
        ) { gathered.add($0) }
    }

    @Test func headphonesAreSetUpAndHeardAndComeBack() async throws {
        let (socket, gathered) = (Socket(), Gathered())
        let first = RecordedHeadphones()
        socket.device = first
        let inlet = try inlet(socket, gathered)
        try await inlet.start()
        #expect(first.told.count == 1 && first.told[0].count == 1 + 23 + 16 + 1)
        // All events and full power: the two lowest bits; the interval above them is the shortest.
        #expect(first.told[0].last == 0b11)
        first.say(Self.report)
        #expect(try await eventually { gathered.all.count == 1 })
        #expect(gathered.lastIsNear((90, 0, 0), within: 0.1))
        #expect(gathered.lastRateIsNear((0, 0, 1)))
        #expect(inlet.health.identity?.hasSuffix("010203040506") == true)
        socket.device = nil
        first.unplug()
        #expect(try await eventually { inlet.health.connection != .open })
        let second = RecordedHeadphones()
        socket.device = second
        #expect(try await eventually { inlet.health.returns == 1 })
        #expect(second.told.count == 1)
        second.say(Self.report)
        #expect(try await eventually { gathered.all.count == 2 })
        await inlet.stop()
    }

    @Test func whatIsNoHeadTrackerIsRefused() async throws {
        let keyboard: [UInt8] = [0x05, 0x01, 0x09, 0x06, 0xa1, 0x01, 0xc0]
        for device in [RecordedHeadphones(keyboard), RecordedHeadphones(description: "#AnotherCustomSensor1.0")] {
            let socket = Socket()
            socket.device = device
            let inlet = try inlet(socket, Gathered())
            await #expect(throws: TrackerError.notAHeadTracker(path: "/dev/hidraw7")) { try await inlet.start() }
        }
        let inlet = try inlet(Socket(), Gathered())
        await #expect(throws: TrackerError.hidDevice(path: "/dev/hidraw7", step: "open", errno: ENODEV)) {
            try await inlet.start()
        }
    }

    @Test func theSystemsDevicesAreListed() throws {
        let folder = TemporaryFolder()
        for (name, title, bytes) in [
            ("hidraw0", "A Keyboard", [0x05, 0x01, 0x09, 0x06, 0xa1, 0x01, 0xc0]),
            ("hidraw10", "Headphones", AndroidHeadTracker.usualDescriptor),
        ] as [(String, String, [UInt8])] {
            let device = folder("\(name)/device")
            try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
            try "DRIVER=hid\nHID_NAME=\(title)\n".write(toFile: device + "/uevent", atomically: true, encoding: .utf8)
            try Data(bytes).write(to: URL(fileURLWithPath: device + "/report_descriptor"))
        }
        let found = HIDSearch(classes: folder.path).found
        #expect(found.map(\.path) == ["/dev/hidraw0", "/dev/hidraw10"])
        #expect(found.map(\.name) == ["A Keyboard", "Headphones"])
        #expect(found.map(\.isHeadTracker) == [false, true])
        #expect(HIDSearch(classes: AbsentPlace.path()).found.isEmpty)
    }
}
