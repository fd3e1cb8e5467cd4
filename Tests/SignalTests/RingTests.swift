import Testing

@testable import Signal

@Suite struct RingTests {
    @Test func refusesWhenFullAndEmptiesInOrder() {
        let ring = Ring(minimumCapacity: 3, filling: 0)
        defer { ring.deallocate() }
        #expect(ring.capacity == 4)
        for i in 0..<4 { #expect(ring.push(i)) }
        #expect(!ring.push(9))
        #expect((0..<4).allSatisfy { ring.pop() == $0 })
        #expect(ring.pop() == nil)
    }

    @Test func carriesEveryElementAcrossThreadsInOrder() async {
        let ring = Ring(minimumCapacity: 64, filling: 0)
        let total = 200_000
        let writer = Task.detached {
            var next = 0
            while next < total { if ring.push(next) { next += 1 } else { await Task.yield() } }
        }
        var expected = 0
        while expected < total {
            if let got = ring.pop() {
                guard got == expected else { break }
                expected += 1
            } else {
                await Task.yield()
            }
        }
        #expect(expected == total)
        await writer.value
        ring.deallocate()
    }
}
