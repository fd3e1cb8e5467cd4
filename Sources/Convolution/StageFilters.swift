import CKernels
import Signal

/// The filters from every source to two ears, as taps and as the spectra of several states in time.
///
/// A state is what the filters were at one moment; a slice fades between neighbouring ones. Taps are written per source
/// and ear; `refresh` brings a state's spectra up to date and touches only groups with a changed source. The spectra of
/// one state are `[ear][partition][group][bin][re, im][lane]`.
package struct StageFilters: ~Copyable {
    /// The arrangement of the sources.
    package let shape: LaneShape
    /// Taps per filter rounded up to whole slices, in slices.
    package let partitions: Int
    /// States kept.
    package let stateCount: Int
    /// `[ear][lane of all groups][tap]`, scaled by 1/(2·slice), the inverse transform's factor (a power of two: exact).
    private let taps: UnsafeMutablePointer<Float>
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let spectra: UnsafeMutablePointer<Float>
    private let laced: UnsafeMutablePointer<Float>
    /// `[group]`: counts changes of its taps.
    private let edition: UnsafeMutablePointer<Int>
    /// `[state][group]`: the edition its spectra were made from.
    private let rendered: UnsafeMutablePointer<Int>

    /// Silent filters of `tapCount` ≥ 1 taps in `stateCount` states.
    package init(shape: LaneShape, tapCount: Int, stateCount: Int) {
        precondition(tapCount >= 1 && stateCount >= 1)
        self.shape = shape
        self.stateCount = stateCount
        partitions = (tapCount + shape.slice - 1) / shape.slice
        let rowCount = 2 * shape.laneCount
        let length = partitions * shape.slice
        taps = AlignedMemory.allocate(Float.self, count: rowCount * length)
        taps.initialize(repeating: 0, count: rowCount * length)
        rows = .allocate(capacity: rowCount)
        for row in 0..<rowCount { (rows + row).initialize(to: UnsafePointer(taps + row * length)) }
        let spectraTotal = stateCount * 2 * partitions * shape.spectraCount
        spectra = AlignedMemory.allocate(Float.self, count: spectraTotal)
        spectra.initialize(repeating: 0, count: spectraTotal)
        laced = AlignedMemory.allocate(Float.self, count: length * shape.lanes)
        laced.initialize(repeating: 0, count: length * shape.lanes)
        edition = .allocate(capacity: shape.groups)
        edition.initialize(repeating: 0, count: shape.groups)
        rendered = .allocate(capacity: stateCount * shape.groups)
        rendered.initialize(repeating: 0, count: stateCount * shape.groups)
    }

    deinit {
        taps.deallocate()
        rows.deallocate()
        spectra.deallocate()
        laced.deallocate()
        edition.deallocate()
        rendered.deallocate()
    }

    /// Floats from the left ear's spectra to the right ear's.
    package var earStride: Int { @_noLocks get { partitions * shape.spectraCount } }

    /// The spectra of one state.
    @_noLocks
    package func spectra(ofState state: Int) -> UnsafePointer<Float> {
        UnsafePointer(spectra + state * 2 * earStride)
    }

    /// Replaces a source's taps: `gain` times the first `count` of each response. Call `refresh` afterwards.
    @_noLocks
    package func setTaps(
        source: Int, gain: Float, left: UnsafePointer<Float>, right: UnsafePointer<Float>, count: Int
    ) {
        let length = partitions * shape.slice
        let used = min(count, length)
        let scaled = gain / Float(2 * shape.slice)
        prk_scale(used, scaled, left, taps + source * length)
        prk_scale(used, scaled, right, taps + (shape.laneCount + source) * length)
        edition[source / shape.lanes] &+= 1
    }

    /// Brings the spectra of `state` to the present taps. Cost: two transforms per partition of each changed group.
    @_noLocks
    package func refresh(state: Int, with fourier: borrowing LaneFourier) {
        let lanes = shape.lanes
        for group in 0..<shape.groups where rendered[state * shape.groups + group] != edition[group] {
            for ear in 0..<2 {
                prk_interleave(
                    lanes, partitions * shape.slice, rows + ear * shape.laneCount + group * lanes, laced)
                let target = spectra + (state * 2 + ear) * earStride + group * shape.groupStride
                for partition in 0..<partitions {
                    fourier.forward(
                        lanes: lanes, low: laced + partition * shape.blockCount, high: nil,
                        spectrum: target + partition * shape.spectraCount)
                }
            }
            rendered[state * shape.groups + group] = edition[group]
        }
    }
}
