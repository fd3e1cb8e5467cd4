import Signal
import Synchronization
import Testing

@testable import PluginHost

/// What the host accepts of numbers in shared memory, which a plugin may have overwritten, and of lines from its
/// process.
@Suite struct ExchangeReadingTests {
    /// Returns a head of the shared memory as a child process writes it.
    private func head(done: Int, first: Int = 0, latency: Int = 0) -> ExchangeHead {
        let head = ExchangeHead()
        head.done.store(done, ordering: .relaxed)
        head.first.store(first, ordering: .relaxed)
        head.latency.store(latency, ordering: .relaxed)
        return head
    }

    @Test(arguments: [
        (256, 0, true), (512, 512, true), (256, 320, true), (513, 0, false), (512, 513, false), (-1, 0, false),
        (.max, 0, false), (.min, 0, false), (256, .min, false), (256, .max, false), (127, 0, false),
    ])
    func `What a child has done lies between what it had done and what was handed over`(
        done: Int, first: Int, isTaken: Bool
    ) {
        var reading = ExchangeReading()
        var before = head(done: 128)
        var now = head(done: done, first: first)
        let isRead = withUnsafeMutablePointer(to: &before) { reading.look(SharedPlace(at: $0), place: 512) }
        #expect(isRead && reading.done == 128 && reading.first == 0)
        let isReadAgain = withUnsafeMutablePointer(to: &now) { reading.look(SharedPlace(at: $0), place: 512) }
        #expect(isReadAgain == isTaken)
        #expect(reading.done == (isTaken ? done : 128) && reading.first == (isTaken ? first : 0))
    }

    @Test(arguments: [(0, 0), (480, 480), (480_000, 480_000), (480_001, 0), (-1, 0), (.max, 0), (.min, 0)])
    func `A latency beyond the longest is none`(told: Int, taken: Int) {
        var head = head(done: 0, latency: told)
        let latency = withUnsafeMutablePointer(to: &head) {
            ExchangeReading.latency(SharedPlace(at: $0), longest: 480_000)
        }
        #expect(latency == taken)
    }

    @Test func `A report holds no number, list or text beyond what is taken of a child`() {
        var report = IsolatedTalk.Report()
        report.workerSeconds = 1e300
        report.lost = .max
        report.controls = ["a": .nan, "b": .infinity, "c": 1, String(repeating: "x", count: 100_000): 1]
        report.readings = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("r\($0)", 1) })
        report.properties = ["a": .number(.nan), "b": .text(String(repeating: "x", count: 100_000)), "c": .number(1)]
        report.log = (0..<1000).map { "\($0)" } + [String(repeating: "x", count: 100_000)]
        let ranged = report.ranged
        #expect(ranged.workerSeconds == 1e9 && ranged.lost == Int(Int32.max) && ranged.controls == ["c": 1])
        #expect(ranged.readings.count == 4096 && ranged.properties == ["c": .number(1)])
        #expect(ranged.log.count == 32 && ranged.log.allSatisfy { $0.count <= 512 } && ranged.log[0] == "969")
        report.workerSeconds = .nan
        #expect(report.ranged.workerSeconds == 0)
    }
}
