import CDevices
import Desk
import Foundation
import HeadTracking
import Loading
import OSC
import Session
import Stages
import Synchronization
import Testing
import Waiting

@testable import Control

@Suite struct ControlTests {
    @Test(arguments: [
        SessionCommand.recentre(.yaw), .recentre(.full), .recentre(.reset), .start(frame: nil),
        .start(frame: 4_000_000_000), .status, .loudness(reset: false), .loudness(reset: true),
        .preview(.go(to: 90.5)), .preview(.seek(by: -5)), .preview(.pause(nil)), .preview(.pause(true)),
        .preview(.pause(false)), .preview(.skip(-2)), .preview(.loop(nil)), .preview(.loop(true)),
        .preview(.gain(by: -1)), .playback(.resume),
        .playback(.beginInterruption(name: "a", .duck(-12), lease: 10)),
        .playback(.endInterruption(name: "a", resumes: false)),
        .quit,
    ])
    func everyCommandSurvivesTheWire(_ command: SessionCommand) throws {
        #expect(try Self.overTheWire(command) == command)
    }

    /// What a command is on the other side of the wire.
    private static func overTheWire(_ command: SessionCommand) throws -> SessionCommand {
        let bytes = OSCPacket.message(ControlMessages.message(for: command)).encoded()
        let message = try #require(try OSCPacket(decoding: bytes).messages.first)
        return try ControlMessages.command(from: message).get()
    }

    @Test(arguments: Parameter.all)
    func everyParameterSurvivesTheWire(_ parameter: Parameter) throws {
        var values = parameter.words.map { ParameterValue.word($0) }
        if parameter.text != nil { values.append(.word("/sets/of mine/one.sofa")) }
        if !parameter.numbers.isEmpty {
            values += [
                .numbers(parameter.numbers.map(\.range.lowerBound)),
                .numbers(parameter.numbers.map(\.range.upperBound)),
            ]
        }
        for value in values {
            for input in parameter.isOfInputs || parameter.isOfLoudspeakers ? [nil, "choir"] : [nil] {
                let command = SessionCommand.set(ParameterChange(parameter, value, input: input))
                #expect(try Self.overTheWire(command) == command)
            }
        }
        for numbers in [parameter.numbers.map { $0.range.upperBound + 1 }, parameter.numbers.map { _ in .nan }]
        where !numbers.isEmpty {
            let message = OSCMessage("/proscenium/" + parameter.id, numbers.map { .double($0) })
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
        for nonsense in [[], [OSCArgument.string(parameter.text == nil ? "nonsense" : "\u{7}")], [.null], [.blob([1])]]
        {
            let message = OSCMessage("/proscenium/" + parameter.id, nonsense)
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
    }

    @Test func aLoudspeakerHasAnAddressOfItsOwn() throws {
        let message = OSCMessage("/proscenium/loudspeaker/TFL/solo", [.int32(1)])
        let change = try ParameterChange("loudspeaker-solo", ["on"], input: "TFL")
        #expect(try ControlMessages.command(from: message).get() == .set(change))
        #expect(ControlMessages.message(for: .set(change)).address == "/proscenium/loudspeaker/TFL/solo")
        let noise = OSCMessage("/proscenium/loudspeaker/FC/test-noise", [.string("on")])
        #expect(
            try ControlMessages.command(from: noise).get()
                == .set(try ParameterChange("test-noise", ["on"], input: "FC")))
        for address in ["loudspeaker/FL/level", "loudspeaker//mute", "loudspeaker/FL", "loudspeaker/FL/dim"] {
            let unknown = OSCMessage("/proscenium/" + address, [.string("on")])
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: unknown).get() }
        }
    }

    @Test func aFormerNameIsTakenWithAHint() throws {
        let message = OSCMessage("/proscenium/input/choir/width", [.float(30)])
        let command = try ControlMessages.command(from: message).get()
        #expect(command == .set(try ParameterChange("source-width", ["30"], input: "choir")))
        let answer = ControlMessages.message(for: .done, to: message.address)
        #expect(answer.arguments.last == .string("done; 'width' is now called 'source-width'"))
    }

    @Test func switchesAreTakenAsNumbersAndTruthValuesToo() throws {
        for (argument, word) in [(OSCArgument.int32(1), "on"), (.float(0), "off"), (.boolean(true), "on")] {
            let message = OSCMessage("/proscenium/room", [argument])
            #expect(try ControlMessages.command(from: message).get() == .set(ParameterChange(.room, .word(word))))
        }
    }

    @Test func whatIsNoCommandIsAnsweredWithTheReason() throws {
        for message in [
            OSCMessage("/proscenium/dance"), OSCMessage("/proscenium/room", [.string("maybe")]),
            OSCMessage("/proscenium/recentre", [.string("upwards")]),
            OSCMessage("/proscenium/start", [.float(2)]), OSCMessage("/proscenium/reference", [.string("moon")]),
            OSCMessage("/proscenium/follow", [.float(1), .float(2), .float(0)]),
            OSCMessage("/proscenium/follow", [.float(1)]), OSCMessage("/proscenium/yaw-pull", [.float(.nan)]),
            OSCMessage("/proscenium/seek", [.float(-1)]), OSCMessage("/proscenium/seek"),
            OSCMessage("/proscenium/skip", [.int32(0)]), OSCMessage("/proscenium/pause", [.string("maybe")]),
            OSCMessage("/proscenium/loop", [.int32(2)]), OSCMessage("/proscenium/gain-by", [.float(.nan)]),
            OSCMessage("/proscenium/width", [.float(181)]), OSCMessage("/proscenium/input/a/width"),
            OSCMessage("/proscenium/input/a/room", [.string("on")]),
            OSCMessage("/proscenium/input//level", [.float(0)]),
            OSCMessage("/proscenium"), OSCMessage("/"), OSCMessage("/proscenium/input/a/b/level", [.float(0)]),
        ] {
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
    }

    @Test func addressesAreReadAsWritten() {
        #expect(ControlAddress("9150") == ControlAddress("127.0.0.1:9150"))
        #expect(ControlAddress("0.0.0.0:80")?.host == "0.0.0.0")
        for text in ["", "0", "65536", "a:b", ":9150", "1:2:3"] { #expect(ControlAddress(text) == nil) }
    }

    @Test func aCommandReachesTheSessionAndItsAnswerComesBack() async throws {
        let asked = Mutex<[SessionCommand]>([])
        let (server, _, address) = try serve { command in
            asked.withLock { $0.append(command) }
            return command == .quit ? .refused("not today") : .started(frame: 7, heardAt: 1.5)
        }
        // Tests that compute for long hold up the answer, for as long as they take.
        let answer = try await ControlClient.request(.start(frame: 7), at: address, timeout: .seconds(300))
        #expect(answer == "{\"frame\":7,\"heardAt\":1.5}")
        await #expect(throws: SessionError.self) {
            try await ControlClient.request(.quit, at: address, timeout: .seconds(300))
        }
        #expect(asked.withLock { $0 } == [.start(frame: 7), .quit])
        await server.stop()
    }

    @Test func aLongAnswerComesBackWhole() async throws {
        let long = String(repeating: "The stage is wide. ", count: 3000)
        let (server, _, address) = try serve { _ in .refused(long) }
        let error = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .seconds(300))
        }
        #expect(error?.description.contains(long) == true)
        await server.stop()
    }

    @Test func aTakenPortIsSaidPlainly() async throws {
        let (first, _, address) = try serve { _ in .done }
        let error = #expect(throws: SessionError.self) {
            _ = try ControlServer(at: address, desk: SessionDesk())
        }
        #expect(error?.description.contains("in use") == true)
        await first.stop()
    }

    /// A caller that tries one port after the other goes on for this reason alone.
    @Test func onlyATakenPortIsPassedOver() async throws {
        let (first, _, address) = try serve { _ in .done }
        #expect(try ControlServer(ifFree: address, desk: SessionDesk()) == nil)
        #expect(throws: SessionError.self) {
            // An address for documentation, which no machine has.
            try ControlServer(ifFree: ControlAddress(host: "192.0.2.1", port: 0), desk: SessionDesk())
        }
        await first.stop()
        let second = try #require(try ControlServer(ifFree: ControlAddress(port: 0), desk: SessionDesk()))
        await second.stop()
    }

    /// A server that nothing can wake would never end. In a process of its own, whose descriptors run out.
    @Test func aServerThatCannotBeWokenIsRefused() async {
        await #expect(processExitsWith: .success) {
            let next = open("/dev/null", O_RDONLY)
            close(next)
            var limit = rlimit(rlim_cur: rlim_t(next) + 1, rlim_max: rlim_t(next) + 1)
            setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            #expect(throws: ControlSocket.Refused.self) { try ControlSocket(at: ControlAddress(port: 0)) }
        }
    }

    @Test(.timeLimit(.minutes(10))) func nobodyThereIsSaidSoon() async throws {
        let (server, _, address) = try serve { _ in .done }
        await server.stop()
        let error = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .seconds(300))
        }
        #expect(error?.description.contains("no session answers") == true)
    }

    @Test(arguments: [1e-30, 1e-37, 0.04, 101, -1, .infinity, .nan])
    func aRateOfWatchingThatIsNoneIsRefused(_ rate: Double) {
        for argument in [OSCArgument.double(rate), .float(Float(rate))] {
            #expect(ControlMessages.watchRate(in: OSCMessage(ControlMessages.watch, [argument])) == nil)
        }
    }

    @Test func theSlowestWatcherIsTakenOn() throws {
        let watchers = Watchers()
        let sender = ControlSender(.init())
        let now = ContinuousClock.now
        #expect(watchers.set(sender, rate: Watchers.rates.lowerBound, at: now))
        #expect(watchers.due(at: now) == [sender])
        #expect(watchers.due(at: now) == [])
        #expect(watchers.sleep(until: now) == 20)
        #expect(watchers.all(at: now + Watchers.patience).isEmpty)
    }

    @Test func aFaderFasterThanTheSessionEndsAtItsLastValueAndNeverGoesBack() async throws {
        let heard = Mutex<[Double]>([])
        let isOpen = Mutex(false)
        let (server, queue, address) = try serve { command in
            // Slower than what is sent, and at first not to be had at all.
            #expect(await comes { isOpen.withLock { $0 } })
            try? await Task.sleep(for: .microseconds(200))
            if case .set(let change) = command, case .numbers(let level) = change.value {
                heard.withLock { $0 += level }
            }
            return .done
        }
        let socket = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        try #require(socket >= 0)
        defer { pcd_close(socket) }
        let count = 2000
        for step in 1...count {
            let bytes = OSCMessage("/proscenium/level", [.double(-Double(step) / 1000)]).encoded()
            // No more at a time than there is room for in the kernel, however it is set.
            for _ in 0..<30_000 where queue.counts.received < step - 50 { try await Task.sleep(for: .milliseconds(1)) }
            try #require(pcd_write(socket, bytes, UInt32(bytes.count)) == Int32(bytes.count))
            if step == 200 { isOpen.withLock { $0 = true } }
        }
        for _ in 0..<3000 where queue.counts.received < count || !queue.isIdle {
            try await Task.sleep(for: .milliseconds(10))
        }
        let counts = queue.counts
        #expect(counts.received == count && counts.lost == 0 && counts.superseded > 0)
        #expect(counts.performed + counts.superseded + counts.refused == counts.received)
        let values = heard.withLock { $0 }
        #expect(values == values.sorted(by: >))
        #expect(values.last == -Double(count) / 1000)
        await server.stop()
    }

    @Test func aFloodOfQuestionsIsAnsweredOrCounted() async throws {
        let (server, queue, address) = try serve { _ in .refused("busy") }
        let socket = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        try #require(socket >= 0)
        defer { pcd_close(socket) }
        let bytes = OSCMessage("/proscenium/status").encoded()
        var sent = 0
        func ask() { if pcd_write(socket, bytes, UInt32(bytes.count)) == Int32(bytes.count) { sent += 1 } }
        for _ in 0..<5000 { ask() }
        var counts = queue.counts
        for _ in 0..<3000 where counts.received + counts.lost < sent || !queue.isIdle {
            // What was lost is told with what is read after it.
            if counts.received + counts.lost < sent { ask() }
            try await Task.sleep(for: .milliseconds(10))
            counts = queue.counts
        }
        #expect(sent >= 5000 && counts.received + counts.lost == sent)
        let answer = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .seconds(300))
        }
        #expect(answer?.description.contains("busy") == true)
        await server.stop()
    }

    /// What finds no room in the kernel is told with what comes later.
    @Test func whatTheKernelThrowsAwayIsCounted() throws {
        let socket = try ControlSocket(at: ControlAddress(port: 0))
        let sender = pcd_udp_connect("127.0.0.1", UInt16(socket.address.port))
        try #require(sender >= 0)
        defer { pcd_close(sender) }
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: ControlSocket.lot * ControlSocket.stride)
        defer { buffer.deallocate() }
        var datagrams = [pcd_datagram](repeating: pcd_datagram(), count: ControlSocket.lot)
        let bytes = [UInt8](repeating: 7, count: 16)
        var (received, lost) = (0, 0)
        func drain() {
            while true {
                let found = socket.receive(into: buffer, &datagrams) { _, _ in }
                guard found.count > 0 else { return }
                received += found.count
                lost = found.lost
            }
        }
        // Three times what the room that is asked for holds: each takes 768 bytes of it at least.
        for _ in 0..<60_000 { try #require(pcd_write(sender, bytes, UInt32(bytes.count)) == 16) }
        drain()
        try #require(pcd_write(sender, bytes, UInt32(bytes.count)) == 16)
        drain()
        #expect(lost > 0 && received + lost == 60_001, "\(received) received, \(lost) lost")
    }

    /// They were once counted after they had been handed on, when the answer might have left.
    @Test func aCommandIsCountedBeforeItIsCarriedOut() async throws {
        let queue = CommandQueue()
        let received = Mutex<[Int]>([])
        queue.serve { _ in
            received.withLock { $0.append(queue.counts.received) }
            return .done
        }
        let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk(commands: queue))
        for _ in 0..<200 {
            _ = try await ControlClient.request(.recentre(.yaw), at: server.address, timeout: .seconds(300))
        }
        #expect(received.withLock { $0 } == Array(1...200))
        await server.stop()
    }

    @Test func whoAsksOnceIsAnsweredBesideAFlood() async throws {
        let isOpen = Mutex(false)
        let (server, queue, address) = try serve { _ in
            #expect(await comes { isOpen.withLock { $0 } })
            return .refused("busy")
        }
        let flood = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        let one = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        try #require(flood >= 0 && one >= 0)
        defer { for socket in [flood, one] { pcd_close(socket) } }
        let bytes = OSCMessage("/proscenium/status").encoded()
        // The first is carried out at once, what comes after it waits together.
        let count = 300
        for sent in 1...count {
            _ = pcd_write(flood, bytes, UInt32(bytes.count))
            // The socket has room for so many at a time where the server does not read for a while.
            for _ in 0..<3000 where sent.isMultiple(of: 50) && queue.counts.received < sent {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        _ = pcd_write(one, bytes, UInt32(bytes.count))
        for _ in 0..<3000 where queue.counts.received <= count { try await Task.sleep(for: .milliseconds(10)) }
        isOpen.withLock { $0 = true }
        #expect(await comes { pcd_wait(one, -1, 0) & 1 != 0 })
        for _ in 0..<3000 where !queue.isIdle { try await Task.sleep(for: .milliseconds(10)) }
        let counts = queue.counts
        #expect(counts.performed + counts.shared == count + 1)
        await server.stop()
    }

    @Test func aBundleOfTheFutureWaitsForItsTime() throws {
        var schedule = OSCSchedule()
        let sender = ControlSender(.init())
        func message(_ number: Int32) -> OSCPacket { .message(OSCMessage("/a", [.int32(number)])) }
        var done: [OSCMessage] = []
        func take(_ packet: OSCPacket) -> Int { schedule.take(packet, from: sender, at: 100) { done.append($0) } }
        #expect(take(.bundle(OSCTimeTag(seconds: 102), [message(3), message(4)])) == 0)
        #expect(take(.bundle(OSCTimeTag(seconds: 101), [message(2), .bundle(.immediately, [message(5)])])) == 0)
        #expect(take(.bundle(.immediately, [message(0)])) == 0)
        #expect(take(.bundle(OSCTimeTag(seconds: 99), [message(1)])) == 0)
        #expect(take(.bundle(OSCTimeTag(seconds: 100 + 2 * OSCSchedule.horizon), [message(6)])) == 1)
        #expect(done.map(\.arguments) == [[.int32(0)], [.int32(1)]])
        #expect(schedule.sleep(until: 100.5) == 0.5)
        #expect(schedule.due(at: 101).map(\.0.arguments) == [[.int32(2)], [.int32(5)]])
        #expect(schedule.due(at: 103).map(\.0.arguments) == [[.int32(3)], [.int32(4)]])
        #expect(schedule.sleep(until: 103) == nil)
    }

    @Test func nothingOfAStrangerWaits() {
        var (schedule, isKnown) = (OSCSchedule(), false)
        var now: [OSCMessage] = []
        func said(_ word: String) -> OSCPacket { .message(OSCMessage(word)) }
        // What comes after the token in the same bundle waits as that of any sender that is known.
        let left = schedule.take(
            .bundle(OSCTimeTag(seconds: 2), [said("/a"), said("/token"), said("/b")]), from: ControlSender(.init()),
            at: 1, mayWait: { isKnown },
            now: {
                isKnown = isKnown || $0.address == "/token"
                now.append($0)
            })
        #expect(left == 0)
        #expect(now.map(\.address) == ["/a", "/token"])
        #expect(schedule.due(at: 3).map(\.0.address) == ["/b"])
    }

    @Test func noMoreOfTheFutureIsKeptThanThereIsRoomFor() {
        var schedule = OSCSchedule()
        let many = [OSCPacket](repeating: .message(OSCMessage("/a")), count: OSCSchedule.share + 7)
        let left = schedule.take(
            .bundle(OSCTimeTag(seconds: 2), many), from: ControlSender(.init()), at: 1
        ) { _ in }
        #expect(left == 7)
    }
}
