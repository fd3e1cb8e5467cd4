import AudioIO
import AudioInMemory
import Desk
import Foundation
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Control
@testable import Session

/// A service manager: a datagram socket that receives one message after the other.
private final class Manager {
    private let descriptor: Int32

    /// Listens at an address in the form of `NOTIFY_SOCKET`.
    init(at text: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var isBound = false
        try #require(ServiceAddress(text)).withAddress { isBound = bind(descriptor, $0, $1) == 0 }
        try #require(isBound)
    }

    deinit { close(descriptor) }

    /// Messages since the last read.
    var heard: [String] {
        var words: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0 {
            words.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
        return words
    }
}

@Suite struct ServiceNotifierTests {
    @Test(arguments: ["path", "abstract"]) func `A manager hears what the session says`(kind: String) throws {
        let scratch = try Scratch()
        let address = kind == "path" ? scratch("notify") : "@proscenium-\(UUID().uuidString)"
        let manager = try Manager(at: address)
        let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": address]))
        notifier.tell(.preparing("preparing the stage"))
        notifier.tell(.ready)
        notifier.tell(.note("the JACK server is gone:\nit shut down"))
        notifier.tell(.note("it is back"))
        notifier.tell(.ready)
        notifier.tell(.ready)
        // The manager requested no beats.
        notifier.beat(at: 1)
        notifier.stop()
        #expect(
            manager.heard == [
                "STATUS=preparing the stage", "READY=1\nSTATUS=playing", "STATUS=the JACK server is gone: it shut down",
                "STATUS=it is back", "READY=1", "READY=1\nSTATUS=playing", "STOPPING=1",
            ])
    }

    @Test func `Beats are told twice in the time that the manager waits`() throws {
        let scratch = try Scratch()
        let manager = try Manager(at: scratch("notify"))
        var environment = [
            "NOTIFY_SOCKET": scratch("notify"), "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "\(getpid())",
        ]
        let notifier = try #require(ServiceNotifier(environment: environment))
        for tick in 0..<100 { notifier.beat(at: Double(tick) * 0.05) }
        #expect(manager.heard == Array(repeating: "WATCHDOG=1", count: 5))
        notifier.tell(.preparing("preparing a room"))
        #expect(manager.heard == ["STATUS=preparing a room", "WATCHDOG=1"])
        environment["WATCHDOG_PID"] = "1"
        let other = try #require(ServiceNotifier(environment: environment))
        other.beat(at: 0)
        #expect(manager.heard.isEmpty)
    }

    @Test func `Where no manager listens nothing is said`() throws {
        #expect(ServiceNotifier(environment: [:]) == nil)
        for address in ["", "/", "notify", "vsock:2:1234", "/" + String(repeating: "x", count: 200)] {
            #expect(ServiceNotifier(environment: ["NOTIFY_SOCKET": address]) == nil, "\(address)")
        }
        // An absent manager is no error.
        let scratch = try Scratch()
        try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": scratch("nobody")])).tell(.ready)
    }

    @Test func `A session beats by its own hand, and while it waits for its server, too`() async throws {
        let (server, clock) = (MemoryServer(), ManualClock())
        let scratch = try Scratch()
        let manager = try Manager(at: scratch("notify"))
        let notifier = try #require(
            ServiceNotifier(environment: ["NOTIFY_SOCKET": scratch("notify"), "WATCHDOG_USEC": "200000"]))
        var environment = LiveRig.environment(server, clock, LiveRig.Said()) { notifier.tell($0) }
        environment.beat = { notifier.beat(at: $0) }
        let live = try await LiveSession(
            LiveSettings(stage: StageSettings(layout: "stereo")), in: environment)
        let begun = manager.heard
        #expect(begun.last == "READY=1\nSTATUS=playing" && begun.first == "STATUS=a sphere's responses")
        await clock.advance(by: 1)
        #expect((7...11).contains(manager.heard.count { $0 == "WATCHDOG=1" }))
        // While the session's clock stands there is no beat.
        #expect(manager.heard.isEmpty)
        server.shutDown()
        #expect(await eventually { await live.status().serverGoneFor != nil })
        await clock.advance(by: 1)
        let away = manager.heard
        #expect((7...11).contains(away.count { $0 == "WATCHDOG=1" }))
        #expect(away.contains { $0.hasPrefix("STATUS=the JACK server is gone: it shut down") })
        server.comeBack()
        var back: [String] = []
        #expect(
            await eventually {
                await clock.advance(by: 0.25)
                back += manager.heard
                return back.contains("READY=1")
            })
        #expect(back.contains { $0.hasPrefix("STATUS=the JACK server is back after ") })
        try await live.end()
    }
}
