import Synchronization
import Testing

@testable import Signal

@Suite struct SharedPlaceTests {
    private struct Tally: ~Copyable, Sendable {
        let count = Atomic<Int>(0)
        let names = Mutex<[Int]>([])
    }

    @Test func severalTasksUseOneValue() async {
        let place = SharedPlace(Tally())
        defer { place.deallocate() }
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { place.pointee.count.wrappingAdd(1, ordering: .relaxed) }
                    place.pointee.names.withLock { $0.append(task) }
                }
            }
        }
        #expect(place.pointee.count.load(ordering: .relaxed) == 8000)
        #expect(place.pointee.names.withLock { $0.sorted() } == Array(0..<8))
    }

    @Test func valuesLieOneAfterTheOther() {
        let row = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 3)
        for i in 0..<3 { (row + i).initialize(to: Atomic(i)) }
        defer {
            row.deinitialize(count: 3)
            row.deallocate()
        }
        let place = SharedPlace(at: row)
        place[1].store(7, ordering: .relaxed)
        #expect((0..<3).map { place[$0].load(ordering: .relaxed) } == [0, 7, 2])
        #expect(place.pointee.load(ordering: .relaxed) == 0)
    }

    @Test func itsValueEndsWithIt() {
        let ended = SharedPlace(Atomic<Int>(0))
        defer { ended.deallocate() }
        SharedPlace(Ending(at: ended)).deallocate()
        #expect(ended.pointee.load(ordering: .relaxed) == 1)
    }

    private struct Ending: ~Copyable, Sendable {
        let at: SharedPlace<Atomic<Int>>

        deinit { at.pointee.wrappingAdd(1, ordering: .relaxed) }
    }
}
