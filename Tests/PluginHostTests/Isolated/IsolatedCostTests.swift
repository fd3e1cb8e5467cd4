import Dispatch
import Foundation
import Inserts
import PlantedPlugins
import Signal
import Synchronization
import Testing

@testable import PluginHost

/// Time that an isolated plugin takes on the audio thread, and delay of its answer. The values are printed, because
/// they depend on the load of the machine. If the system permits, the calls have real-time priority, as those of JACK.
@Suite(.serialized) struct IsolatedCostTests {
    @Test(arguments: [("gain", 1), ("twelve", 12)])
    func `A call costs the audio thread little, and is done long before it is due`(name: String, channels: Int) throws {
        let isolated = try Isolated(name, in: PlantedPlugins.sound())
        let (calls, answers, isRealTime) = Self.measure(isolated)
        try #require(calls.count == Self.rounds, "it is gone after \(calls.count) calls")
        print(
            "isolated, \(channels) channels, \(isRealTime ? "" : "no ")real-time priority: a call takes "
                + "\(Self.words(calls)); from its beginning to its answer \(Self.words(answers))")
        // Half of the calls must be fast; the others depend on the machine.
        #expect(calls[Self.rounds / 2] < 20_000)
        #expect(answers[Self.rounds / 2] < 1_333_000)
    }

    private static let rounds = 2000

    private static func words(_ times: [Int]) -> String {
        "\(times[times.count / 2]) ns, 99 % \(times[times.count * 99 / 100]) ns, the longest \(times[times.count - 1]) ns"
    }

    /// Returns the durations of calls, and the times from their start to the answer, nanoseconds, both sorted.
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

    /// @unchecked is safe: only one thread uses the instance.
    private struct Subject: @unchecked Sendable { let isolated: Isolated }
}
