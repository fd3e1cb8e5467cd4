import Foundation
import Testing

@testable import Signal

@Suite struct LatestValueTests {
    @Test func yieldsTheInitialThenTheNewestValue() {
        let box = LatestValue(1)
        defer { box.deallocate() }
        #expect(box.load() == 1)
        box.store(2)
        box.store(3)
        #expect(box.load() == 3)
        #expect(box.load() == 3)
    }

    @Test func neverShowsATornOrOlderValueAcrossThreads() async {
        struct Pair: BitwiseCopyable, Sendable { var a: Int, b: Int, c: Int, d: Int }
        let box = LatestValue(Pair(a: 0, b: 0, c: 0, d: 0))
        let writer = Task.detached {
            for i in 1...200_000 { box.store(Pair(a: i, b: -i, c: i, d: -i)) }
        }
        var last = 0
        while last < 200_000 {
            let p = box.load()
            #expect(p.a == -p.b && p.c == p.a && p.d == p.b && p.a >= last)
            if p.a != -p.b { break }
            last = p.a
        }
        await writer.value
        box.deallocate()
    }
}
