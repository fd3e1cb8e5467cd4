import Glibc
import Signal

/// Filters of 256 directions, `[row][ear][tap]`: noise that decays after an onset, which moves around the head from row
/// to row. All rows cost the same.
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

    /// Returns the row of a source at refresh `index` while the head turns: the next row at each refresh, sources 17
    /// apart.
    static func row(source: Int, refresh index: Int) -> Int { (source &* 17 &+ index) & (rowCount - 1) }

    /// Description of that sequence.
    static let sequence = "of 256 directions each refresh takes the next, sources 17 apart"
}
