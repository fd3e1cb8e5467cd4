import Desk
import Foundation
import Gate
import Loading
import OSC
import Stages
import Synchronization
import Testing
import Waiting

@testable import Control

/// Messages to subscribers: complete, even for slow readers.
@Suite struct SubscriptionTests {
    @Test func aReaderThatSleptGetsTheLastOfEveryValue() {
        let desk = SessionDesk()
        desk.state.enter(["a": .numbers([0]), "b": .word("on")])
        let subscription = Subscription([.state], at: desk) {}
        #expect(subscription.take().state?.isWhole == true)
        for value in 1...10_000 { desk.state.enter(["a": .numbers([Double(value)]), "c": .word("x")]) }
        let news = subscription.take()
        #expect(news.state?.values == ["a": .numbers([10_000]), "b": Optional<ParameterValue>.none, "c": .word("x")])
        #expect(news.state?.isWhole == false && news.state?.revision == 10_001)
        #expect(subscription.take().state == nil)
    }

    @Test func whatHappenedIsKeptUpToABound() {
        let desk = SessionDesk()
        let subscription = Subscription([.events], at: desk) {}
        for number in 0..<1000 { desk.events.tell(.routeLost(["\(number)"])) }
        let events = subscription.take().events
        #expect(events.count == 256 && events.last == .routeLost(["999"]))
    }

    @Test func anEndedSubscriptionHearsNothing() {
        let desk = SessionDesk()
        let woken = Mutex(0)
        let subscription = Subscription([.state, .events], at: desk) { woken.withLock { $0 += 1 } }
        subscription.end()
        let before = woken.withLock { $0 }
        desk.state.enter(["a": .word("on")])
        desk.events.tell(.routeHeld)
        #expect(woken.withLock { $0 } == before)
    }

    @Test func anAddressIsSentTheLatestLastWhoeverTellsIt() throws {
        let desk = SessionDesk()
        let told = Mutex<[Int64]>([])
        let isFirst = Mutex(true)
        let isTold = DispatchSemaphore(value: 0)
        let subscribers = OSCSubscribers(at: desk) { bytes, _, _ in
            // While the first packet is being sent, another thread enters a newer state.
            if isFirst.withLock({ first in
                defer { first = false }
                return first
            }) {
                Thread.detachNewThread { desk.state.enter(["a": .numbers([1])]) }
                _ = isTold.wait(timeout: .now() + 0.3)
            }
            for message in (try? OSCPacket(decoding: bytes))?.messages ?? [] {
                guard message.address == "/proscenium/revision", case .int64(let revision)? = message.arguments.first
                else { continue }
                told.withLock { $0.append(revision) }
                isTold.signal()
            }
        }
        #expect(subscribers.set(try #require(ControlAddress("127.0.0.1:9")), [.state], isNamed: true))
        #expect(comes { told.withLock { $0.count } >= 2 })
        #expect(told.withLock { $0 } == [0, 1])
        subscribers.end()
    }

    @Test func `Topics are read by name; without names all are meant`() {
        #expect(Subscription.Topic.set(of: ["pose", "state"]) == [.pose, .state])
        #expect(Subscription.Topic.set(of: []) == [.state, .events, .meters, .pose])
        #expect(Subscription.Topic.set(of: ["pose", "sound"]) == nil && Subscription.Topic.set(of: [nil]) == nil)
    }

    @Test func valuesGoToTheAddressThatSetsThem() {
        var news = Subscription.News()
        news.state = (
            [
                "input/main/level": .numbers([-3]), "dim": .word("on"), "input/bell/level": .word("off"),
                "gone": Optional<ParameterValue>.none,
            ], 7, false
        )
        let messages = OSCNews.packets(news).flatMap(\.messages)
        #expect(
            messages == [
                OSCMessage("/proscenium/dim", [.int32(1)]),
                OSCMessage("/proscenium/removed", [.string("gone")]),
                OSCMessage("/proscenium/input/bell/level", [.string("off")]),
                OSCMessage("/proscenium/input/main/level", [.float(-3)]),
                OSCMessage("/proscenium/revision", [.int64(7)]),
            ])
    }

    @Test func aLargeStateIsSentInPacketsThatNetworksCarry() {
        var news = Subscription.News()
        news.state = (
            Dictionary(uniqueKeysWithValues: (0..<500).map { ("plugin/p\($0)/set/gain", .numbers([Double($0)])) }), 1,
            true
        )
        let packets = OSCNews.packets(news)
        #expect(packets.allSatisfy { $0.encoded().count <= 1400 })
        #expect(packets.flatMap(\.messages).count == 501)
    }

    @Test(arguments: [OSCFraming.length, .slip]) func framesAreTakenApartWhereverTheyAreCut(_ framing: OSCFraming) {
        let packets: [[UInt8]] = [
            OSCMessage("/a", [.int32(1)]).encoded(), [0xC0, 0xDB, 0, 0xC0, 0xDB], Array(repeating: 7, count: 3000),
        ]
        let stream = packets.flatMap { framing.frame($0) }
        for size in [1, 2, 3, 5, 7, 100, 10_000] {
            var (begun, found): ([UInt8], [[UInt8]]) = ([], [])
            for start in stride(from: 0, to: stream.count, by: size) {
                begun += stream[start..<min(start + size, stream.count)]
                found += framing.packets(in: &begun, longest: 65_536) ?? []
            }
            #expect(found == packets && begun.isEmpty)
        }
        #expect(OSCFraming(firstByte: stream[0]) == framing)
    }

    @Test func streamsThatAreNoneAreRefused() {
        var bytes: [UInt8] = [0x7F, 0, 0, 0, 1]
        #expect(OSCFraming.length.packets(in: &bytes, longest: 65_536) == nil)
        bytes = [0xC0, 0xDB, 0x01, 0xC0]
        #expect(OSCFraming.slip.packets(in: &bytes, longest: 65_536) == nil)
        bytes = Array(repeating: 1, count: 140_000)
        #expect(OSCFraming.slip.packets(in: &bytes, longest: 65_536) == nil)
    }

    @Test func aNameThatLooksLikeThisMachinesIsNotItsOwn() {
        for own in ["localhost", "::1", "127.0.0.1", "127.1.2.3"] { #expect(Loopback.contains(own)) }
        for other in ["127.example.org", "127.0.0.1.example.org", "127", "1270.0.0.1", "10.0.0.1", "::2", ""] {
            #expect(!Loopback.contains(other), "\(other)")
        }
    }

    @Test func aTokenIsTakenOrNot() {
        let access = DoorAccess(token: "open sesame")
        #expect(access.accepts("open sesame"))
        for wrong in [nil, "", "open", "open sesame!", "open sesamf"] { #expect(!access.accepts(wrong)) }
        #expect(throws: SessionError.self) { try DoorAccess().check(ControlAddress(host: "0.0.0.0", port: 1)) }
        #expect(throws: Never.self) { try access.check(ControlAddress(host: "0.0.0.0", port: 1)) }
    }
}
