import Synchronization
import Testing

@testable import Signal

@Suite(.timeLimit(.minutes(10))) struct ThreadOwnedTests {
    private struct Work: ~Copyable {
        /// Counter that only the worker writes.
        var rounds = 0
        /// Counter that all threads may read.
        let told = Atomic<Int>(0)
    }

    @Test func whatAWorkerChangedIsFoundOnceItHasEnded() throws {
        let work = ThreadOwned(Work())
        defer { work.deallocate() }
        let worker = Worker(name: "test")
        try worker.start { worker in
            while !worker.isEnding {
                work.pointee.rounds += 1
                work.pointee.told.store(work.pointee.rounds, ordering: .releasing)
                worker.rest(0.0001)
            }
        }
        while work.pointee.told.load(ordering: .acquiring) < 3 { _ = worker.join(within: 0.0001) }
        #expect(worker.stop(within: 60))
        #expect(work.pointee.rounds == work.pointee.told.load(ordering: .relaxed))
    }

    @Test func valuesLieOneAfterTheOther() {
        let row = AlignedMemory.allocate(Float.self, count: 4)
        row.initialize(repeating: 1, count: 4)
        let owned = ThreadOwned(at: row)
        owned[2] = 5
        owned.pointee += 1
        #expect((0..<4).map { owned[$0] } == [2, 1, 5, 1])
        row.deallocate()
    }

    @Test func placesAreTheSameByWhereTheyAre() {
        let (one, other) = (ThreadOwned(1), ThreadOwned(1))
        defer {
            one.deallocate()
            other.deallocate()
        }
        #expect(one == ThreadOwned(at: one.pointer) && one != other)
        #expect(Set([one, other, one]).count == 2)
    }
}
