import CRealtime
import Signal

/// Filters that give an upmix the colour of plain stereo, for each direction of the stage's front relative to the head.
///
/// Constant once made; a handle: its owner frees it.
package struct UpmixColourTable: BitwiseCopyable, Sendable {
    /// Number of directions of the front, equally spaced from 0 on, counter-clockwise.
    package let angles: Int
    /// Number of groups of channels with equal filters.
    package let groups: Int
    /// Length of a filter, taps.
    package let taps: Int
    /// `[angle][group][tap]`.
    private let memory: ConstantMemory<Float>

    /// Makes a table of filters that `write` fills in, from rows of 0, `[angle][group][tap]`; `angles` ≥ 1.
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

    /// Reads the filter of a group for a front seen at `azimuth` (radians, any), interpolated linearly between the
    /// nearest two directions. Applies `share` of it, 0…1; the rest is a pure delay of `lead` frames. Thread: any.
    /// Cost: two multiply-adds per tap.
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
