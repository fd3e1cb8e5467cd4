import CDevices
import OSC
import Testing

@testable import Control

/// Bundles with a time tag in the future.
@Suite struct OSCScheduleTests {
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
        // Messages after the token in the same bundle wait, as those of an authorised sender do.
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
