import CKernels
import Signal

/// First level of a room's response (`PartitionPlan`). Its partitions are one slice long, and their sum is output
/// within the slice itself.
///
/// An incomplete slice is rendered with silence in place of its rest, and again when more samples arrive. The sum over
/// older slices is computed only once.
package struct DirectLevel: ~Copyable {
    private let slice: Int
    private let sources: Int
    private let partitions: Int
    private let filters: RoomFilters
    private var spectra: SliceSpectra
    /// `[source]`: pointer to its samples.
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// `[state][ear]`: spectral sum over older slices.
    private let past: WorkRows
    /// `[state][ear]`: spectral sum over all slices.
    private let sums: WorkRows
    /// `[state][ear]`: output samples of the slice.
    private let outputs: WorkRows
    /// Yaws for which the current slice is rendered.
    package private(set) var span = YawSpan(at: 0)

    /// Allocates a level at rest. The level's block must be one slice, and its first partition must begin at tap 0.
    /// `filters` are the filters of that level.
    package init(level: PartitionLevel, sources: Int, filters: consuming RoomFilters) {
        precondition(level.first == 0 && level.block % 16 == 0)
        slice = level.block
        partitions = level.count
        self.sources = sources
        let states = filters.yaws == 1 ? 1 : YawSpan.most
        self.filters = filters
        let length = 2 * level.block
        spectra = SliceSpectra(sources: sources, slice: level.block, partitions: level.count)
        rows = .allocate(capacity: sources)
        rows.initialize(repeating: nil, count: sources)
        past = WorkRows(count: 2 * states, length: length)
        sums = WorkRows(count: 2 * states, length: length)
        outputs = WorkRows(count: 2 * states, length: level.block)
    }

    deinit { rows.deallocate() }

    /// Bytes of the filters.
    package var filterBytes: Int { filters.byteCount }
    /// Bytes of the input spectra, the sums and the outputs.
    package var workBytes: Int {
        spectra.byteCount + past.byteCount + sums.byteCount + outputs.byteCount
    }

    /// Resets to silence.
    @_noLocks
    package mutating func reset() { spectra.reset() }

    /// Begins a slice for the yaws of `span`. A level with one yaw ignores the span.
    @_noLocks
    package mutating func begin(_ span: YawSpan) { if filters.yaws > 1 { self.span = span } }

    /// Renders the slice from the samples before frame `end`. The previous call had the samples before frame `start`.
    /// In `inputs`, each source's previous slice and current slice are adjacent in memory.
    @_noLocks
    package mutating func render(from start: Int, to end: Int, _ inputs: borrowing RoomInputs) {
        for source in 0..<sources {
            let current = inputs.current(source)
            if start == 0 && end < slice { Samples.clear(current + end, count: slice - end) }
            rows[source] = UnsafePointer(current - slice)
        }
        spectra.analyse(rows)
        let isWhole = start == 0 && end == slice
        for state in 0..<span.count {
            if isWhole {
                sum(state, partitions: 0..<partitions, into: sums, onto: false)
            } else {
                if start == 0 { sum(state, partitions: 1..<partitions, into: past, onto: false) }
                for ear in 0..<2 { Samples.copy(past[2 * state + ear], to: sums[2 * state + ear], count: 2 * slice) }
                sum(state, partitions: 0..<1, into: sums, onto: true)
            }
        }
        spectra.inverse(count: 2 * span.count, spectra: sums.read, rows: outputs.write)
    }

    /// Adds the frames of `fade` to both ears, from frame `start` of the slice on.
    @_noLocks
    package func add(
        from start: Int, fade: YawFade, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        for state in 0..<span.count {
            let (gain, step) = fade.gain(of: state, in: span)
            if gain == 0 && step == 0 { continue }
            prk_room_weave(1, start, fade.frames, outputs.read + 2 * state, gain, step, left)
            prk_room_weave(1, start, fade.frames, outputs.read + 2 * state + 1, gain, step, right)
        }
    }

    /// Completes the slice.
    @_noLocks
    package mutating func advance() { spectra.advance() }

    @_noLocks
    private func sum(_ state: Int, partitions range: Range<Int>, into results: borrowing WorkRows, onto: Bool) {
        spectra.sum(
            filters[span.row(state, of: filters.yaws)], partitions: range, left: results[2 * state],
            right: results[2 * state + 1], onto: onto)
    }
}
