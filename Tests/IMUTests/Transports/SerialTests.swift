import AbsentPlaces
import Foundation
import Geometry
import SoundFixtures
import Synchronization
import Testing

@testable import IMU

/// A transport whose events a test makes.
private final class ScriptedTransport: TrackerTransport {
    private let receive = Mutex<(@Sendable (TransportEvent) -> [[UInt8]])?>(nil)
    private let count = Mutex<Int>(0)
    /// Number of requests for another baud rate.
    var attempts: Int { count.withLock { $0 } }

    func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError) {
        self.receive.withLock { $0 = receive }
    }

    func say(_ event: TransportEvent) {
        let receive = self.receive.withLock { $0 }
        _ = receive?(event)
    }

    func send(_ messages: [[UInt8]]) {}
    func stop() async {}

    func tryNext() -> Bool {
        count.withLock { $0 += 1 }
        return true
    }
}

@Suite(.timeLimit(.minutes(10))) struct SerialTests {
    private func inlet(_ text: String, _ gathered: Gathered) throws -> TrackerInlet {
        TrackerInlet(try .parse(text), clock: monotonicSeconds) { gathered.add($0) }
    }

    @Test func aTrackerOnALineIsHeard() async throws {
        let (line, gathered) = (PseudoTerminal(), Gathered())
        let inlet = try inlet("serial:\(line.path),nvsonic", gathered)
        try await inlet.start()
        #expect(try await eventually({ line.say(" 1.0000, 0.0000, 0.0000, 0.0000;") }, { gathered.all.count >= 3 }))
        #expect(inlet.health.format == "nvsonic")
        #expect(inlet.health.connection == .open)
        await inlet.stop()
        #expect(inlet.health.connection == .closed)
        let count = gathered.all.count
        line.say(" 1.0000, 0.0000, 0.0000, 0.0000;")
        #expect(gathered.all.count == count)
    }

    @Test func aLineHasOneReaderAndIsFreeAfterwards() throws {
        let line = PseudoTerminal()
        var (first, second) = (
            SerialDevice(path: line.path, speeds: [9600]), SerialDevice(path: line.path, speeds: [9600])
        )
        for _ in 1...2 {
            let opened = try first.open()
            #expect { _ = try second.open() } throws: { "\($0)".contains("in use by another program") }
            close(opened.descriptor)
            // Users other than root could not open a line with this flag.
            let other = Foundation.open(line.path, O_RDWR | O_NOCTTY)
            var isExclusive: Int32 = 1
            #expect(ioctl(other, UInt(0x8004_5440), &isExclusive) == 0 && isExclusive == 0)  // TIOCGEXCL
            close(other)
        }
    }

    /// A new pseudo-terminal takes the old one's place behind a lasting name, as a device that is plugged in again
    /// does.
    @Test func anUnpluggedTrackerIsHeardAgain() async throws {
        let (folder, gathered) = (TemporaryFolder(), Gathered())
        let name = folder("usb-tracker")
        var line = PseudoTerminal()
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: line.path)
        let inlet = try inlet("serial:\(name),lines", gathered)
        try await inlet.start()
        for round in 1...3 {
            let before = gathered.all.count
            #expect(try await eventually({ line.say("quat,,,1,0,0,0\n") }, { gathered.all.count > before + 2 }))
            line.unplug()
            let isLost = try await eventually {
                if case .lost = inlet.health.connection { true } else { false }
            }
            #expect(isLost)
            try FileManager.default.removeItem(atPath: name)
            line = PseudoTerminal()
            try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: line.path)
            #expect(try await eventually { inlet.health.returns == round })
        }
        await inlet.stop()
    }

    /// Text first; the handshake leads to binary frames, after a replug too.
    @Test func theRazorsHandshakeIsHeld() async throws {
        let (folder, gathered) = (TemporaryFolder(), Gathered())
        let name = folder("razor")
        let frame: [UInt8] = [0, 0, 0xf0, 0x41, 0, 0, 0xa0, 0x40, 0, 0, 0x40, 0xc0]
        var inlet: TrackerInlet?
        for _ in 1...2 {
            let line = PseudoTerminal()
            try? FileManager.default.removeItem(atPath: name)
            try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: line.path)
            if inlet == nil {
                inlet = try self.inlet("serial:\(name),razor,57600", gathered)
                try await inlet?.start()
            }
            var heard: [UInt8] = []
            func waits(for words: String) async throws -> Bool {
                try await eventually(
                    { heard += line.hear() }, { String(decoding: heard, as: UTF8.self).contains(words) })
            }
            #expect(try await waits(for: "#s00"))
            line.say("#SYNCH00\r\n")
            #expect(try await waits(for: "#ob#o1#oe0#s01"))
            let before = gathered.all.count
            line.say(Array("#SYNCH01\r\n".utf8) + frame + frame)
            #expect(try await eventually { gathered.all.count == before + 2 })
            #expect(gathered.lastIsNear((-30, 5, -3), within: 0.01))
            line.unplug()
            #expect(try await eventually { inlet?.health.connection != .open })
        }
        await inlet?.stop()
    }

    @Test func aSilentTrackerIsAskedAgain() async throws {
        let line = PseudoTerminal()
        let inlet = try inlet("serial:\(line.path),razor", Gathered())
        try await inlet.start()
        var heard: [UInt8] = []
        #expect(
            try await eventually({ heard += line.hear() }) {
                String(decoding: heard, as: UTF8.self).components(separatedBy: "#s00").count > 3
            })
        await inlet.stop()
    }

    @Test func theFormatIsRecognised() async throws {
        let (line, gathered) = (PseudoTerminal(), Gathered())
        let inlet = try inlet("serial:\(line.path)", gathered)
        try await inlet.start()
        #expect(
            try await eventually({ line.say("#YPR=10.00,20.00,5.00\r\n") }, { inlet.health.format == "razor" }))
        #expect(!gathered.all.isEmpty)
        await inlet.stop()
    }

    /// Another tracker, with another baud rate, may be plugged in.
    @Test func anotherSpeedIsTriedAfterAReplugToo() async throws {
        let (transport, gathered) = (ScriptedTransport(), Gathered())
        let inlet = TrackerInlet(try .parse("serial:auto,lines"), clock: monotonicSeconds, transport: transport) {
            gathered.add($0)
        }
        try await inlet.start()
        transport.say(.opened(place: "usb-A"))
        transport.say(.bytes(Array("quat,,,1,0,0,0\n".utf8), arrival: monotonicSeconds()))
        #expect(gathered.all.count == 1)
        transport.say(.lost(reason: "unplugged"))
        let before = transport.attempts
        transport.say(.opened(place: "usb-B"))
        #expect(try await eventually { transport.attempts > before })
        await inlet.stop()
    }

    /// A tracker that states its name late is the same one, and does not take the place of another.
    @Test func aTrackerInPlaceOfAnotherIsRecognised() async throws {
        let (transport, known) = (ScriptedTransport(), Recognitions())
        let inlet = TrackerInlet(
            try .parse("serial:auto,lines"), clock: monotonicSeconds, transport: transport,
            recognise: { known.add($0) }
        ) { _ in }
        try await inlet.start()
        transport.say(.opened(place: "usb-A"))
        transport.say(.bytes(Array("quat,,,1,0,0,0\n".utf8), arrival: monotonicSeconds()))
        transport.say(.lost(reason: "unplugged"))
        transport.say(.opened(place: "usb-B"))
        transport.say(.bytes(Array("quat,,,1,0,0,0\n".utf8), arrival: monotonicSeconds()))
        transport.say(.bytes(Array("device,mine\nquat,,,1,0,0,0\n".utf8), arrival: monotonicSeconds()))
        #expect(known.all.map(\.id) == ["usb-A", "usb-B", "mine"])
        #expect(known.all.map(\.isReplacement) == [false, true, false])
        await inlet.stop()
    }

    @Test(arguments: [50, 9600, 31_250, 57_600, 115_200, 250_000, 460_800, 3_000_000])
    func everySpeedIsSet(baud: Int) throws {
        let line = PseudoTerminal()
        var device = SerialDevice(path: line.path, speeds: [baud])
        let open = try device.open()
        close(open.descriptor)
    }

    @Test func theFirstLineThatIsPluggedInIsFound() throws {
        let folder = TemporaryFolder()
        let search = SerialSearch(root: folder.path)
        #expect(search.found.isEmpty)
        var device = SerialDevice(path: nil, speeds: [115_200], search: search)
        #expect(throws: TrackerError.noSerialLine(searched: search.places)) { try device.open() }
        let (first, second) = (PseudoTerminal(), PseudoTerminal())
        try FileManager.default.createSymbolicLink(atPath: folder("ttyUSB0"), withDestinationPath: first.path)
        try FileManager.default.createSymbolicLink(atPath: folder("ttyACM10"), withDestinationPath: second.path)
        #expect(search.found == [folder("ttyUSB0"), folder("ttyACM10")])
        try FileManager.default.createDirectory(atPath: folder("serial/by-id"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder("serial/by-id/usb-Tracker_123"), withDestinationPath: second.path)
        #expect(search.found == [folder("serial/by-id/usb-Tracker_123"), folder("ttyUSB0")])
        let open = try device.open()
        #expect(open.place == "usb-Tracker_123")
        close(open.descriptor)
    }

    @Test func everyFaultOfALineIsSaidPlainly() async throws {
        let path = AbsentPlace.path("line")
        let missing = try inlet("serial:\(path)", Gathered())
        await #expect(throws: TrackerError.self) { try await missing.start() }
        do { try await missing.start() } catch {
            #expect(error.description.hasPrefix("there is no serial line \(path); "))
        }
        let other = try inlet("serial:/dev/null", Gathered())
        do { try await other.start() } catch { #expect(error.description == "/dev/null is not a serial line") }
    }
}
