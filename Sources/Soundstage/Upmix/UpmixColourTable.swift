import CRealtime
import Signal

/// Filters that give an upmix the spectrum (colour) of plain stereo, for each direction of the stage's front relative
/// to the head.
///
/// The filters never change after they are made. This value is a handle; the owner of the table frees the filters.
package struct UpmixColourTable: BitwiseCopyable, Sendable {
    /// Number of directions of the front. They are equally spaced from 0 on, counter-clockwise.
    package let angles: Int
    /// Number of groups of channels with equal filters.
    package let groups: Int
    /// Length of a filter, taps.
    package let taps: Int
    /// `[angle][group][tap]`.
    private let memory: ConstantMemory<Float>

    /// Makes a table. `write` fills in the filters, `[angle][group][tap]`, in rows that are initially 0. `angles` must
    /// be ≥ 1.
    package init(
        angles: Int, groups: Int, taps: Int, _ write: (_ rows: UnsafeMutablePointer<Float>) -> Void = { _ in }
    ) {
        self.angles = angles
        self.groups = groups
        self.taps = taps
        let rows = AlignedMemory.allocate(Float.self, count: max(1, angles * groups * taps))
        rows.initialize(repeating: 0, count: max(1, angles * groups * taps))
        write(rows)
        memory = ConstantMemory(rows)
    }

    /// Frees the filters.
    package func deallocate() { memory.deallocate() }

    /// Reads the filter of a group for a front at `azimuth` (any value, radians). The result is interpolated linearly
    /// between the two nearest directions. The part `share` of it, 0…1, is applied; the rest is a pure delay of `lead`
    /// frames. May be called on any thread. Cost: two multiply-adds per tap.
    @_noLocks
    package func read(
        _ group: Int, azimuth: Double, share: Float, lead: Int, to target: UnsafeMutablePointer<Float>
    ) {
        let turns = azimuth / (2 * Double.pi)
        let place = turns.isFinite ? (turns - prc_floor(turns)) * Double(angles) : 0
        let first = min(angles - 1, Int(place))
        let second = first + 1 == angles ? 0 : first + 1
        let (a, b) = (memory.base + (first * groups + group) * taps, memory.base + (second * groups + group) * taps)
        let late = Float(place - Double(first))
        let (x, y) = (share * (1 - late), share * late)
        for tap in 0..<taps { target[tap] = x * a[tap] + y * b[tap] }
        target[lead] += 1 - share
    }
}
