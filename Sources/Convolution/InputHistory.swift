import CKernels
import Signal

/// The spectra of the last slices of all sources, computed once and shared by every filter that hears them.
///
/// Overlap-save on a grid of slices (Oppenheim & Schafer, Discrete-Time Signal Processing, §8.7.3; uniformly
/// partitioned: Wefers, Partitioned Convolution Algorithms, 2015, §5.3): the transform of slice t covers slices t − 1
/// and t, so that the last half of every product's inverse is valid. Memory: capacity × groups × 8·slice·lanes bytes.
package struct InputHistory: ~Copyable {
    /// The arrangement of the sources.
    package let shape: LaneShape
    /// Slices kept, the current one included.
    package let capacity: Int
    private let planar: PlanarBlock
    /// `[lane]`: where the current slice's samples of every lane begin.
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let shifted: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// `[group][frame][lane]` of the slice before and of the current one.
    private var before: UnsafeMutablePointer<Float>
    private var current: UnsafeMutablePointer<Float>
    private let spectra: UnsafeMutablePointer<Float>
    private var newest = 0
    /// `[age]`: spectra of all groups, the current slice first.
    package let byAge: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// A silent history of `capacity` slices.
    package init(shape: LaneShape, capacity: Int) {
        precondition(capacity >= 1)
        self.shape = shape
        self.capacity = capacity
        planar = PlanarBlock(channels: shape.laneCount, frames: shape.slice)
        rows = .allocate(capacity: shape.laneCount)
        shifted = .allocate(capacity: shape.laneCount)
        for lane in 0..<shape.laneCount { (rows + lane).initialize(to: UnsafePointer(planar[lane])) }
        for lane in 0..<shape.laneCount { (shifted + lane).initialize(to: nil) }
        before = AlignedMemory.allocate(Float.self, count: shape.groups * shape.blockCount)
        current = AlignedMemory.allocate(Float.self, count: shape.groups * shape.blockCount)
        spectra = AlignedMemory.allocate(Float.self, count: capacity * shape.spectraCount)
        byAge = .allocate(capacity: capacity)
        byAge.initialize(repeating: nil, count: capacity)
        reset()
    }

    deinit {
        rows.deallocate()
        shifted.deallocate()
        before.deallocate()
        current.deallocate()
        spectra.deallocate()
        byAge.deallocate()
    }

    /// Forgets everything heard. Cost: all memory once, so only where sound begins anew.
    @_noLocks
    package mutating func reset() {
        Samples.clear(before, count: shape.groups * shape.blockCount)
        Samples.clear(current, count: shape.groups * shape.blockCount)
        Samples.clear(spectra, count: capacity * shape.spectraCount)
        newest = 0
        order()
    }

    /// Where the current slice's samples of a source are to be written before `transform`.
    @_noLocks
    package func samples(ofSource source: Int) -> UnsafeMutablePointer<Float> { planar[source] }

    /// Makes frames `start..<end` of the current slice part of its spectrum; what comes after counts as silence.
    ///
    /// Called with 0..<slice once, or with adjoining ranges that reach `slice`. Cost: one transform per group.
    @_noLocks
    package mutating func transform(from start: Int, to end: Int, with fourier: borrowing LaneFourier) {
        let lanes = shape.lanes
        let target = spectra + newest * shape.spectraCount
        for group in 0..<shape.groups {
            let block = current + group * shape.blockCount
            if start == 0 && end < shape.slice {
                Samples.clear(block + end * lanes, count: (shape.slice - end) * lanes)
            }
            for lane in 0..<lanes {
                if let row = rows[group * lanes + lane] { shifted[lane] = row + start }
            }
            prk_interleave(lanes, end - start, shifted, block + start * lanes)
            fourier.forward(
                lanes: lanes, low: before + group * shape.blockCount, high: block,
                spectrum: target + group * shape.groupStride)
        }
    }

    /// Begins the next slice: the current one, complete, becomes the youngest of the past.
    @_noLocks
    package mutating func advance() {
        let swap = before
        before = current
        current = swap
        newest = newest + 1 == capacity ? 0 : newest + 1
        order()
    }

    /// Sorts the slots by age.
    @_noLocks
    private func order() {
        for age in 0..<capacity {
            let slot = newest - age
            byAge[age] = UnsafePointer(spectra + (slot < 0 ? slot + capacity : slot) * shape.spectraCount)
        }
    }
}
