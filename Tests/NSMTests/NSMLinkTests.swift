import CDevices
import OSC
import Synchronization
import Testing
import Waiting

@testable import Control
@testable import NSM

/// A keeper that stores nothing: it records the requests, and waits or fails as configured.
private final class FakeKeeper: SessionKeeper {
    private struct State {
        var asked: [String] = []
        var failure: NSMFailure?
        var isHeld = false
    }
    private let state = Mutex(State())

    var asked: [String] { state.withLock { $0.asked } }

    func fail(with failure: NSMFailure?) { state.withLock { $0.failure = failure } }
    func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    func open(_ place: NSMPlace, progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String {
        try await note("open \(place.path) \(place.displayName) \(place.clientID)")
        return "opened"
    }

    func save(progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String {
        progress(0.5)
        try await note("save")
        return "saved"
    }

    func sessionIsLoaded() async { state.withLock { $0.asked.append("loaded") } }

    private func note(_ what: String) async throws(NSMFailure) {
        state.withLock { $0.asked.append(what) }
        #expect(await comes { !state.withLock { $0.isHeld } })
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}

@Suite struct NSMLinkTests {
    private static let me = NSMIntroduction(application: "proscenium", executable: "/bin/p", process: 99)
    private static let place: [OSCArgument] = [.string("/s/p.nA"), .string("song"), .string("p.nA")]

    /// Returns a link to a manager after its welcome.
    private static func join(_ manager: FakeManager) async throws -> NSMLink {
        async let joining = NSMLink.join(as: me, environment: manager.environment, patience: .seconds(600))
        _ = try await manager.welcome()
        guard case .managed(let link, let name, let welcome) = await joining else { throw Surprise() }
        #expect(name == "Fake" && welcome == "hello")
        return link
    }

    private struct Surprise: Error {}

    /// Returns the next message of an address; skips others before it.
    private static func next(_ manager: FakeManager, _ address: String) async throws -> OSCMessage {
        while true {
            let message = try await manager.next().message
            if message.address == address { return message }
        }
    }

    @Test func sessionsAreOpenedAndSavedAndAllIsSaidFromOneSocket() async throws {
        let manager = try FakeManager()
        async let joining = NSMLink.join(as: Self.me, environment: manager.environment, patience: .seconds(600))
        let (announcement, port) = try await manager.next()
        #expect(announcement == Self.me.message)
        try manager.say("/reply", [.string("/nsm/server/announce"), .string("hello"), .string("Fake"), .string("::")])
        // Sent at once, before the link has a keeper.
        try manager.say("/nsm/client/open", Self.place)
        try manager.say("/nsm/client/session_is_loaded")
        guard case .managed(let link, _, _) = await joining else { throw Surprise() }
        let keeper = FakeKeeper()
        await link.serve(by: keeper)
        let opened = try await manager.next()
        #expect(opened.message == OSCMessage("/reply", [.string("/nsm/client/open"), .string("opened")]))
        link.note(isDirty: true)
        #expect(try await manager.next().message == OSCMessage("/nsm/client/is_dirty"))
        link.tell("no JACK server yet", priority: 2)
        #expect(
            try await manager.next().message
                == OSCMessage("/nsm/client/message", [.int32(2), .string("no JACK server yet")]))
        try manager.say("/nsm/client/save")
        let saved = try await Self.next(manager, "/reply")
        #expect(saved == OSCMessage("/reply", [.string("/nsm/client/save"), .string("saved")]))
        let clean = try await manager.next()
        #expect(clean.message == OSCMessage("/nsm/client/is_clean"))
        #expect(port == opened.port && port == clean.port)
        #expect(keeper.asked == ["open /s/p.nA song p.nA", "loaded", "save"])
        await link.close()
    }

    @Test func whatFailsIsToldByCode() async throws {
        let manager = try FakeManager()
        let link = try await Self.join(manager)
        let keeper = FakeKeeper()
        keeper.fail(with: NSMFailure(.badProject, "session.json ends at line 3"))
        await link.serve(by: keeper)
        try manager.say("/nsm/client/open", Self.place)
        #expect(
            try await manager.next().message
                == OSCMessage(
                    "/error", [.string("/nsm/client/open"), .int32(-9), .string("session.json ends at line 3")]))
        try manager.say("/nsm/client/save")
        guard case .int32(let code)? = try await manager.next().message.arguments.dropFirst().first else {
            throw Surprise()
        }
        #expect(code == -6)
        #expect(keeper.asked.count == 1)
        await link.close()
    }

    /// A hundred notes: the manager receives each that changes something, in order.
    @Test func whatIsSaidIsToldInThatOrder() async throws {
        let manager = try FakeManager()
        let link = try await Self.join(manager)
        await link.serve(by: FakeKeeper())
        try manager.say("/nsm/client/open", Self.place)
        _ = try await Self.next(manager, "/reply")
        for number in 1...100 {
            link.note(isDirty: number.isMultiple(of: 2))
            link.tell("\(number)", priority: 1)
        }
        var isDirty = false, number = 0
        while number < 100 {
            let message = try await manager.next().message
            switch message.address {
            case "/nsm/client/is_dirty", "/nsm/client/is_clean":
                isDirty = message.address.hasSuffix("dirty")
            default:
                number += 1
                #expect(message.arguments.last == .string("\(number)"))
                #expect(isDirty == number.isMultiple(of: 2))
            }
        }
        await link.close()
    }

    @Test func whatIsAskedWhileASessionIsSavedIsRefusedAtOnce() async throws {
        let manager = try FakeManager()
        let link = try await Self.join(manager)
        let keeper = FakeKeeper()
        await link.serve(by: keeper)
        try manager.say("/nsm/client/open", Self.place)
        _ = try await Self.next(manager, "/reply")
        keeper.hold(true)
        try manager.say("/nsm/client/save")
        #expect(try await manager.next().message == OSCMessage("/nsm/client/progress", [.float(0.5)]))
        try manager.say("/nsm/client/save")
        let refusal = try await manager.next().message
        #expect(refusal.address == "/error" && refusal.arguments.dropFirst().first == .int32(-8))
        keeper.hold(false)
        #expect(try await Self.next(manager, "/reply").arguments.last == .string("saved"))
        await link.close()
    }

    @Test func nobodyAskedIsNobodyAnnouncedTo() async {
        for environment in [[:], ["NSM_URL": ""]] {
            guard case .unasked = await NSMLink.join(as: Self.me, environment: environment) else {
                Issue.record("announced to nobody")
                continue
            }
        }
    }

    @Test func whereNoManagerIsTheProgramGoesOnAloneAndSaysWhy() async throws {
        func reason(_ url: String) async -> String {
            // The timeout is so long that reaching it would be noticed.
            let joining = await NSMLink.join(as: Self.me, environment: ["NSM_URL": url], patience: .seconds(600))
            guard case .alone(let reason) = joining else { return "" }
            return reason
        }
        #expect(await reason("osc.tcp://localhost:1/").contains("not osc.udp://HOST:PORT/"))
        // A port without a program: the system reports that at once.
        let port = try FakeManager().socket.address.port
        #expect(await reason("osc.udp://127.0.0.1:\(port)/").contains("no program listens"))
        #expect(await reason("osc.udp://nowhere.invalid:\(port)/").contains("no host of this name is known"))
    }

    @Test func aManagerThatIsSilentIsNotWaitedForForEver() async throws {
        let manager = try FakeManager()
        let joining = await NSMLink.join(
            as: Self.me, environment: manager.environment, patience: .milliseconds(50))
        guard case .alone(let reason) = joining else { throw Surprise() }
        #expect(reason.contains("does not answer"))
    }

    @Test func aManagerThatRefusesIsQuoted() async throws {
        let manager = try FakeManager()
        async let joining = NSMLink.join(as: Self.me, environment: manager.environment, patience: .seconds(600))
        _ = try await manager.next()
        try manager.say("/error", [.string("/nsm/server/announce"), .int32(-3), .string("not you")])
        guard case .alone(let reason) = await joining else { throw Surprise() }
        #expect(reason == "the session manager refused it: not you (-3)")
    }

    @Test func onlyAManagerOfThisMachineIsHeardAtTheSocketsOwnAddress() {
        let loopback = [UInt8](repeating: 0, count: 15) + [1]
        #expect(NSMSocket.admits([127, 0, 0, 1], from: [127, 0, 1, 1], isOwn: true))
        #expect(NSMSocket.admits(loopback, from: loopback, isOwn: true))
        #expect(NSMSocket.admits([192, 168, 1, 9], from: [192, 168, 1, 9], isOwn: false))
        #expect(!NSMSocket.admits([192, 168, 1, 5], from: [192, 168, 1, 9], isOwn: true))
        #expect(!NSMSocket.admits([127, 0, 0, 1], from: [127, 0, 1, 1], isOwn: false))
        #expect(!NSMSocket.admits([], from: [192, 168, 1, 9], isOwn: true))
    }

    /// Some systems resolve their own name to addresses such as 127.0.1.1; answers may come from 127.0.0.1.
    @Test func aManagerIsHeardAtAnotherAddressOfItsHost() async throws {
        let (manager, other) = (try FakeManager(at: "127.0.1.1"), try FakeManager())
        let url = "osc.udp://127.0.1.1:\(manager.socket.address.port)/"
        async let joining = NSMLink.join(as: Self.me, environment: ["NSM_URL": url], patience: .seconds(600))
        _ = try await manager.next()
        let welcome = OSCMessage("/reply", [.string("/nsm/server/announce"), .string("hello"), .string("Other")])
        other.socket.send(welcome.encoded(), to: try #require(manager.client))
        guard case .managed(let link, let name, _) = await joining else { throw Surprise() }
        #expect(name == "Other")
        await link.close()
    }
}
