import Glibc
import Signal
import Synchronization

// All code that crosses threads, for ThreadSanitizer: every ring, the mailbox, the worker and the handles of shared
// memory, used by threads that never wait for each other. `Scripts/check-races` finds types that are missing here.
// State behind a `Mutex` is left out: the sanitizer does not see that lock when two threads contend for it. With
// PROSCENIUM_PLANT=1 two threads write to memory that belongs to one, through generic code; the sanitizer must report
// it.

/// Ends the program with a message unless `holds`.
func expect(_ holds: Bool, _ what: String) {
    guard !holds else { return }
    print("race-proof: \(what)")
    exit(1)
}

/// Runs `write` on a thread of its own and `read` on this one.
func sideBySide(_ name: String, write: @escaping @Sendable () -> Void, read: () -> Void) {
    let writer = Worker(name: name)
    do throws(WorkerError) { try writer.start { _ in write() } } catch { expect(false, "\(name): \(error)") }
    read()
    expect(writer.join(within: 60), "\(name): the writing thread has not ended")
}

let total = 20_000

func provesTheRing() {
    let ring = Ring(minimumCapacity: 64, filling: 0)
    defer { ring.deallocate() }
    sideBySide(
        "ring",
        write: {
            var next = 0
            while next < total { if ring.push(next) { next += 1 } else { sched_yield() } }
        },
        read: {
            var expected = 0
            while expected < total {
                guard let found = ring.pop() else {
                    sched_yield()
                    continue
                }
                expect(found == expected, "ring: \(found) came in place of \(expected)")
                expected += 1
            }
        })
}

func provesTheMessageRing() {
    let ring = MessageRing(minimumCapacity: 512)
    defer { ring.deallocate() }
    sideBySide(
        "message ring",
        write: {
            var numbers = [UInt32](repeating: 0, count: 24)
            var next = 0
            while next < total {
                // Lengths of 0 to 23 numbers, so that messages also cross the end of the memory.
                let count = next % 24
                for i in 0..<count { numbers[i] = UInt32(next + i) }
                let isAccepted = numbers.withUnsafeBytes {
                    ring.push(tag: UInt32(next), $0.baseAddress, count: 4 * count)
                }
                if isAccepted { next += 1 } else { sched_yield() }
            }
        },
        read: {
            var numbers = [UInt32](repeating: 0, count: 24)
            var expected = 0
            while expected < total {
                guard let (tag, count) = ring.next() else {
                    sched_yield()
                    continue
                }
                expect(tag == UInt32(expected) && count == 4 * (expected % 24), "message ring: message \(expected)")
                numbers.withUnsafeMutableBytes { ring.take(into: $0.baseAddress) }
                for i in 0..<count / 4 {
                    expect(numbers[i] == UInt32(expected + i), "message ring: number \(i) of message \(expected)")
                }
                expected += 1
            }
        })
}

func provesTheFrameRing() {
    let ring = FrameRing(channels: 2, minimumCapacity: 256)
    defer { ring.deallocate() }
    sideBySide(
        "frame ring",
        write: {
            let rows = PlanarBlock(channels: 2, frames: 100)
            var (next, piece) = (0, 1)
            while next < total {
                let count = min(piece, total - next)
                guard ring.room >= count else {
                    sched_yield()
                    continue
                }
                for i in 0..<count { (rows[0][i], rows[1][i]) = (Float(next + i), -Float(next + i)) }
                for channel in 0..<2 { ring.write(rows[channel], channel: channel, count: count) }
                ring.publish(count)
                next += count
                piece = piece % 100 + 1
            }
        },
        read: {
            let rows = PlanarBlock(channels: 2, frames: 77)
            var done = 0
            while done < total {
                let count = min(77, ring.waiting)
                guard count > 0 else {
                    sched_yield()
                    continue
                }
                for channel in 0..<2 { ring.read(into: rows[channel], channel: channel, count: count) }
                ring.release(count)
                for i in 0..<count {
                    expect(
                        rows[0][i] == Float(done + i) && rows[1][i] == -Float(done + i), "frame ring: frame \(done + i)"
                    )
                }
                done += count
            }
        })
}

func provesTheMailbox() {
    struct Pair: BitwiseCopyable, Sendable { var a: Int, b: Int }
    let box = LatestValue(Pair(a: 0, b: 0))
    defer { box.deallocate() }
    sideBySide(
        "mailbox", write: { for i in 1...total { box.store(Pair(a: i, b: -i)) } },
        read: {
            var last = 0
            while last < total {
                let found = box.load()
                expect(found.a == -found.b && found.a >= last, "mailbox: \(found) after \(last)")
                last = found.a
            }
        })
}

/// State that belongs to a worker, with a number that other threads read.
struct Work: ~Copyable {
    var rounds = 0
    let told = Atomic<Int>(0)
}

func provesTheWorker() {
    for round in 0..<50 {
        // After the worker has stopped, this thread reads what only the body changed.
        let found = ThreadOwned(Work())
        let worker = Worker(name: "worker")
        let body: @Sendable (Worker) -> Void = { worker in
            while !worker.isEnding {
                found.pointee.rounds += 1
                found.pointee.told.store(found.pointee.rounds, ordering: .relaxed)
                worker.rest(60)
            }
        }
        do throws(WorkerError) { try worker.start(body) } catch { expect(false, "worker: \(error)") }
        for _ in 0..<round {
            worker.wake()
            expect(found.pointee.told.load(ordering: .relaxed) >= 0, "worker: less than nothing was told")
        }
        expect(worker.stop(within: 10), "worker: it does not end")
        let rounds = found.pointee.rounds
        expect(rounds <= round + 2, "worker: it went round \(rounds) times, woken \(round) times")
        expect(found.pointee.told.load(ordering: .relaxed) == rounds, "worker: another number was told")
        found.deallocate()
    }
}

func provesConstantMemory() {
    // The writer makes tables one after the other and hands each over when it is complete; the reader frees it. Both
    // threads read `common` all the while.
    let common = ConstantMemory(Array(0..<256))
    let tables = Ring(minimumCapacity: 4, filling: common)
    defer {
        common.deallocate()
        tables.deallocate()
    }
    sideBySide(
        "constant memory",
        write: {
            for number in 0..<2000 {
                let table = ConstantMemory((0..<256).map { $0 + number })
                expect(common[number & 255] == number & 255, "constant memory: it has changed")
                while !tables.push(table) { sched_yield() }
            }
        },
        read: {
            var number = 0
            while number < 2000 {
                guard let table = tables.pop() else {
                    sched_yield()
                    continue
                }
                let place = number & 255
                expect(table[place] == number + place, "constant memory: table \(number) is another")
                expect((common + place)[0] == place, "constant memory: it has changed")
                table.deallocate()
                number += 1
            }
        })
}

/// Counters that two threads use at once.
struct Tally: ~Copyable, Sendable {
    let count = Atomic<Int>(0)
    let sum = Atomic<Int>(0)
}

func provesTheSharedPlace() {
    let place = SharedPlace(Tally())
    defer { place.deallocate() }
    let use: @Sendable () -> Void = {
        for i in 0..<2000 {
            place.pointee.count.wrappingAdd(1, ordering: .relaxed)
            place.pointee.sum.wrappingAdd(i, ordering: .relaxed)
        }
    }
    sideBySide("shared place", write: use, read: use)
    expect(place.pointee.count.load(ordering: .relaxed) == 4000, "shared place: a count was lost")
    expect(place.pointee.sum.load(ordering: .relaxed) == 2 * 1999 * 1000, "shared place: a number was lost")
}

/// Two threads write to memory that may belong to one only: generic code, which the sanitizer sees only if specialised.
func plantsARace() {
    let owned = ThreadOwned(0)
    sideBySide(
        "planted race", write: { for i in 0..<total { owned.pointee = i } },
        read: { for i in 0..<total { owned.pointee = -i } })
}

if getenv("PROSCENIUM_PLANT") != nil {
    plantsARace()
} else {
    provesTheRing()
    provesTheMessageRing()
    provesTheFrameRing()
    provesTheMailbox()
    provesTheWorker()
    provesConstantMemory()
    provesTheSharedPlace()
}
print("race-proof: done")
