import Foundation
import Signal
import Testing

@Suite struct MessageRingTests {
    private static func push(_ ring: MessageRing, _ tag: UInt32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { ring.push(tag: tag, $0.baseAddress, count: bytes.count) }
    }

    private static func pop(_ ring: MessageRing) -> (tag: UInt32, bytes: [UInt8])? {
        guard let (tag, count) = ring.next() else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { ring.take(into: $0.baseAddress) }
        return (tag, bytes)
    }

    @Test func `Messages of all lengths come out as they went in, across the end of the memory`() {
        let ring = MessageRing(minimumCapacity: 256)
        defer { ring.deallocate() }
        for round in 0..<50 {
            for length in [0, 1, 7, 8, 9, 63, 100] {
                let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + round) }
                #expect(Self.push(ring, UInt32(round), bytes))
                let message = Self.pop(ring)
                #expect(message?.tag == UInt32(round) && message?.bytes == bytes)
            }
        }
        #expect(ring.isEmpty && Self.pop(ring) == nil)
    }

    @Test func `A message that does not fit changes nothing`() {
        let ring = MessageRing(minimumCapacity: 64)
        defer { ring.deallocate() }
        #expect(ring.longest == 56)
        #expect(!Self.push(ring, 1, [UInt8](repeating: 1, count: 57)))
        #expect(ring.isEmpty)
        #expect(Self.push(ring, 2, [UInt8](repeating: 2, count: 56)))
        #expect(!Self.push(ring, 3, []))
        #expect(Self.pop(ring)?.bytes == [UInt8](repeating: 2, count: 56))
        #expect(Self.push(ring, 4, [4]) && Self.pop(ring)?.tag == 4)
    }

    @Test func `One thread writes what another reads, in order and whole`() {
        let ring = MessageRing(minimumCapacity: 512)
        defer { ring.deallocate() }
        let total = 50_000
        let over = DispatchSemaphore(value: 0)
        Thread {
            for number in 0..<total {
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 97)
                while !Self.push(ring, UInt32(number), bytes) { sched_yield() }
            }
            over.signal()
        }.start()
        var (number, isWhole) = (0, true)
        while number < total {
            guard let message = Self.pop(ring) else {
                sched_yield()
                continue
            }
            isWhole =
                isWhole && message.tag == UInt32(number) && message.bytes.count == number % 97
                && message.bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: number) }
            number += 1
        }
        over.wait()
        #expect(isWhole && ring.isEmpty)
    }
}
