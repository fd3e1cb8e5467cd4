import Glibc
import Signal

/// Responses of 256 directions as an engine may find them ready: `[row][ear][tap]`, noise that dies away behind an onset
/// that goes round the head, all alike in what they cost.
final class FilterTable {
    static let rowCount = 256
    let taps: Int
    private let memory: UnsafeMutablePointer<Float>

    init(taps: Int) {
        self.taps = taps
        memory = AlignedMemory.allocate(Float.self, count: FilterTable.rowCount * 2 * taps)
        var noise = Noise(seed: 0x1234_5678_9ABC_DEF1)
        for row in 0..<FilterTable.rowCount {
            for ear in 0..<2 {
                let side = sin(2 * Double.pi * Double(row) / 256) * (ear == 0 ? -1 : 1)
                let onset = 20 + 15 * side
                let start = memory + (2 * row + ear) * taps
                for tap in 0..<taps {
                    let since = Double(tap) - onset
                    let envelope = since < 0 ? exp(since) : exp(-5 * since / Double(taps))
                    start[tap] = noise.next() * Float(envelope)
                }
            }
        }
    }

    deinit { memory.deallocate() }

    func response(row: Int, ear: Int) -> UnsafePointer<Float> { UnsafePointer(memory + (2 * row + ear) * taps) }

    /// The row that a source hears at refresh `index` while the head turns: each refresh the next one, sources apart.
    static func row(source: Int, refresh index: Int) -> Int { (source &* 17 &+ index) & (rowCount - 1) }

    /// That sequence in words.
    static let sequence = "of 256 directions each refresh takes the next, sources 17 apart"
}
