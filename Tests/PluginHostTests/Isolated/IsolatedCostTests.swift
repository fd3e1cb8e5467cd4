import Dispatch
import Foundation
import Inserts
import PlantedPlugins
import Signal
import Synchronization
import Testing

@testable import PluginHost

/// What an isolated plugin costs the audio thread, and how soon it answers. Printed, as a busy machine has its say in
/// it. Where the system gives a real-time priority, the calls have one, as JACK's have.
@Suite(.serialized) struct IsolatedCostTests {
    @Test(arguments: [("gain", 1), ("twelve", 12)])
    func `A call costs the audio thread little, and is done long before it is due`(name: String, channels: Int) throws {
        let isolated = try Isolated(name, in: PlantedPlugins.sound())
        let (calls, answers, isRealTime) = Self.measure(isolated)
        try #require(calls.count == Self.rounds, "it is gone after \(calls.count) calls")
        print(
            "isolated, \(channels) channels, \(isRealTime ? "" : "no ")real-time priority: a call takes "
                + "\(Self.words(calls)); from its beginning to its answer \(Self.words(answers))")
        // Half of them; the rest is the machine's.
        #expect(calls[Self.rounds / 2] < 20_000)
        #expect(answers[Self.rounds / 2] < 1_333_000)
    }

    private static let rounds = 2000

    private static func words(_ times: [Int]) -> String {
        "\(times[times.count / 2]) ns, 99 % \(times[times.count * 99 / 100]) ns, the longest \(times[times.count - 1]) ns"
    }

    /// Nanoseconds of calls, and from their beginnings to their answers, each in order of size.
    private static func measure(_ isolated: Isolated) -> (calls: [Int], answers: [Int], isRealTime: Bool) {
        let result = Mutex<([Int], [Int], Bool)>(([], [], false))
        let done = DispatchSemaphore(value: 0)
        let subject = Subject(isolated: isolated)
        Thread.detachNewThread {
            var wanted = sched_param(sched_priority: 10)
            let isRealTime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted) == 0
            var (calls, answers) = ([Int](), [Int]())
            let (isolated, head) = (subject.isolated, subject.isolated.instance.memory.head)
            for _ in 0..<rounds where !isolated.instance.processor.isGone {
                isolated.run(frames: 64, offline: false)
                calls.append(isolated.times.last ?? 0)
                let begin = Isolated.nanoseconds() - calls[calls.count - 1]
                while head.pointee.done.load(ordering: .acquiring) < isolated.place,
                    Isolated.nanoseconds() - begin < 20_000_000
                {
                    usleep(20)
                }
                answers.append(Isolated.nanoseconds() - begin)
                usleep(1000)
            }
            result.withLock { $0 = (calls.sorted(), answers.sorted(), isRealTime) }
            done.signal()
        }
        done.wait()
        return result.withLock { $0 }
    }

    /// Handed to the one thread that runs it.
    private struct Subject: @unchecked Sendable { let isolated: Isolated }
}
