import Synchronization
import Testing

@testable import Signal

@Suite(.timeLimit(.minutes(10))) struct WorkerTests {
    @Test func aRestEndsWhenTheWorkerIsWokenOrAskedToEnd() throws {
        let rounds = Atomic<Int>(0)
        let counted = Counter()
        let worker = Worker(name: "test")
        try worker.start { worker in
            while !worker.isEnding {
                counted.count.wrappingAdd(1, ordering: .releasing)
                worker.rest(3600)
            }
        }
        for wanted in 1...20 {
            while counted.count.load(ordering: .acquiring) < wanted { _ = worker.join(within: 0.0001) }
            worker.wake()
        }
        #expect(worker.stop(within: 60))
        rounds.store(counted.count.load(ordering: .acquiring), ordering: .relaxed)
        // The first round and 20 wakes; one less if the last wake and the end coincide.
        #expect((20...21).contains(rounds.load(ordering: .relaxed)))
    }

    private final class Counter: Sendable { let count = Atomic<Int>(0) }

    @Test func aWorkerThatIsHeldUpIsNotWaitedForForEver() throws {
        let gate = Worker(name: "gate")
        let worker = Worker(name: "held up")
        // The worker ignores its own end until the gate is ending.
        try worker.start { _ in while !gate.isEnding { _ = gate.join(within: 0.001) } }
        try gate.start { gate in while !gate.isEnding { gate.rest(60) } }
        #expect(!worker.stop(within: 0.01) && worker.isEnding)
        gate.end()
        #expect(worker.join(within: 60) && worker.join(within: 60), "and twice is as good as once")
    }

    @Test func oneThatNeverBeganHasEnded() {
        let worker = Worker(name: "idle")
        #expect(worker.stop(within: 0) && worker.isEnding)
    }

    @Test func `Where the system gives no thread that is an error, and the worker is as if it had not been started`()
        throws
    {
        // No system grants a stack of 2^50 bytes.
        let worker = Worker(name: "greedy", stackBytes: 1 << 50)
        let error = #expect(throws: WorkerError.self) { try worker.start { _ in Issue.record("it runs") } }
        #expect(error?.description.contains("no thread for 'greedy' (") == true, "\(String(describing: error))")
        #expect(worker.join(within: 60) && worker.stop(within: 60))
        #expect(throws: WorkerError.self, "and again") { try worker.start { _ in Issue.record("it runs") } }
    }
}
