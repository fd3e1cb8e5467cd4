import Glibc
import Signal

// What crosses threads, at work, for ThreadSanitizer to watch: every ring, the mailbox and the worker, by threads that
// are never told to wait for each other. With PROSCENIUM_PLANT=1 two threads write to one
// place, by generic code, which must be found.

/// Ends with a message where something crossed wrongly.
func expect(_ holds: Bool, _ what: String) {
    guard !holds else { return }
    print("race-proof: \(what)")
    exit(1)
}

/// Has the writing thread do its work and, on this thread, the reading one.
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

func provesTheWorker() {
    for round in 0..<50 {
        // What the body alone touches is found here after the worker was stopped.
        let found = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        found.initialize(to: 0)
        let place = UInt(bitPattern: found)
        let worker = Worker(name: "worker")
        let body: @Sendable (Worker) -> Void = { worker in
            guard let own = UnsafeMutablePointer<Int>(bitPattern: place) else { return }
            while !worker.isEnding {
                own.pointee += 1
                worker.rest(60)
            }
        }
        do throws(WorkerError) { try worker.start(body) } catch { expect(false, "worker: \(error)") }
        for _ in 0..<round { worker.wake() }
        expect(worker.stop(within: 10), "worker: it does not end")
        expect(found.pointee <= round + 2, "worker: it went round \(found.pointee) times, woken \(round) times")
        found.deallocate()
    }
}

/// A place of one element: generic, as the rings are, so that the sanitizer sees it only where it is specialised.
struct Place<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Element>

    func put(_ element: Element) { pointer.pointee = element }
}

func plantsARace() {
    let place = Place(pointer: UnsafeMutablePointer<Int>.allocate(capacity: 1))
    place.put(0)
    sideBySide(
        "planted race", write: { for i in 0..<total { place.put(i) } }, read: { for i in 0..<total { place.put(-i) } })
}

if getenv("PROSCENIUM_PLANT") != nil {
    plantsARace()
} else {
    provesTheRing()
    provesTheFrameRing()
    provesTheMailbox()
    provesTheWorker()
}
print("race-proof: done")
