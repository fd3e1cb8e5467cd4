import CKernels
import Signal

/// One state of a set of filters, as the sum reads it.
package struct FilterState: BitwiseCopyable {
    /// `[ear][partition][group][bin][re, im][lane]`.
    fileprivate let spectra: UnsafePointer<Float>
    fileprivate let partitions: Int
    fileprivate let earStride: Int

    /// The given state of `filters`, whose memory must outlive this value.
    @_noLocks
    package init(_ filters: borrowing StageFilters, state: Int) {
        spectra = filters.spectra(ofState: state)
        partitions = filters.partitions
        earStride = filters.earStride
    }
}

/// Filters, sums over all sources and returns to time: two ears for each of up to three filter states.
///
/// Only the sums are transformed back, all states and ears in the lanes of one transform, so its cost does not depend
/// on the number of sources (`[frame][2·state + ear]`, 4 lanes for one or two states, else 8).
package struct BinauralSum: ~Copyable {
    private let shape: LaneShape
    private let past: UnsafeMutablePointer<Float>
    private let spectrum: UnsafeMutablePointer<Float>
    private let time: UnsafeMutablePointer<Float>

    /// A sum for sources in the given shape.
    package init(shape: LaneShape) {
        self.shape = shape
        let count = 2 * shape.slice * 8
        past = AlignedMemory.allocate(Float.self, count: count)
        past.initialize(repeating: 0, count: count)
        spectrum = AlignedMemory.allocate(Float.self, count: count)
        spectrum.initialize(repeating: 0, count: count)
        time = AlignedMemory.allocate(Float.self, count: count)
        time.initialize(repeating: 0, count: count)
    }

    deinit {
        past.deallocate()
        spectrum.deallocate()
        time.deallocate()
    }

    /// Lanes of the result for a number of states.
    @_noLocks
    private static func lanes(states: Int) -> Int { states > 2 ? 8 : 4 }

    /// A complete slice: every partition in one sum.
    @_noLocks
    package func whole(
        _ history: borrowing InputHistory, _ states: UnsafePointer<FilterState>, count: Int,
        with fourier: borrowing LaneFourier
    ) {
        sum(history, states, count, ages: 0, toEnd: true, onto: false, into: spectrum)
        fourier.inverse(lanes: BinauralSum.lanes(states: count), spectrum: spectrum, output: time)
    }

    /// A slice of which only the beginning is known. The past slices' share is summed when `isFirst`, then kept.
    @_noLocks
    package func part(
        _ history: borrowing InputHistory, _ states: UnsafePointer<FilterState>, count: Int, isFirst: Bool,
        with fourier: borrowing LaneFourier
    ) {
        if isFirst { sum(history, states, count, ages: 1, toEnd: true, onto: false, into: past) }
        let lanes = BinauralSum.lanes(states: count)
        Samples.copy(past, to: spectrum, count: 2 * shape.slice * lanes)
        sum(history, states, count, ages: 0, toEnd: false, onto: true, into: spectrum)
        fourier.inverse(lanes: lanes, spectrum: spectrum, output: time)
    }

    /// Writes both ears of `count` frames of the slice from frame `start` on, after `whole` or `part` for `states` states.
    ///
    /// With several states the slice fades linearly from each to the next over `fade` frames: frame i of a fade has i/fade
    /// of the next state, so that the end of one fade is the beginning of the next.
    @_noLocks
    package func ears(
        from start: Int, count: Int, states: Int, fade: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        let lanes = BinauralSum.lanes(states: states)
        let frames = time + shape.slice * lanes
        if states == 1 {
            prk_pick_ears(count, lanes, frames + start * lanes, left, right)
            return
        }
        var done = 0
        while done < count {
            let frame = start + done
            let segment = frame / fade
            let part = min((segment + 1) * fade - frame, count - done)
            prk_fade_ears(
                part, lanes, Float(frame - segment * fade) / Float(fade), 1 / Float(fade),
                frames + frame * lanes + 2 * segment, left + done, right + done)
            done += part
        }
    }

    /// Writes both ears of `count` frames from `start` on as one of `states` states alone gives them; for tests.
    func state(
        _ state: Int, of states: Int, from start: Int, count: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        let lanes = BinauralSum.lanes(states: states)
        prk_pick_ears(count, lanes, time + (shape.slice + start) * lanes + 2 * state, left, right)
    }

    /// Σ over ages from `first` on (only `first` itself unless `toEnd`), groups and lanes.
    @_noLocks
    private func sum(
        _ history: borrowing InputHistory, _ states: UnsafePointer<FilterState>, _ count: Int, ages first: Int,
        toEnd: Bool, onto: Bool, into result: UnsafeMutablePointer<Float>
    ) {
        let lanes = BinauralSum.lanes(states: count)
        var isUniform = true
        for i in 1..<max(1, count) where states[i].earStride != states[0].earStride { isUniform = false }
        var job = prk_spectral_sum()
        job.bins = shape.slice
        job.groups = shape.groups
        job.group_stride = shape.groupStride
        job.partition_stride = shape.spectraCount
        job.inputs = UnsafePointer(history.byAge + first)
        job.result_lanes = lanes
        job.onto = onto ? 1 : 0
        if isUniform {
            job.states = count
            set(&job, states[0], first, toEnd, history.capacity)
            let offset = first * shape.spectraCount
            job.filters.0 = states[0].spectra + offset
            job.filters.1 = states[min(1, count - 1)].spectra + offset
            job.filters.2 = states[count - 1].spectra + offset
            job.result = result
            prk_sum_spectra(shape.lanes, &job)
        } else {
            // Two filter sets at once, with lengths of their own: one state at a time.
            job.states = 1
            for i in 0..<count {
                set(&job, states[i], first, toEnd, history.capacity)
                job.filters.0 = states[i].spectra + first * shape.spectraCount
                job.result = result + 2 * i
                prk_sum_spectra(shape.lanes, &job)
            }
        }
    }

    @_noLocks
    private func set(_ job: inout prk_spectral_sum, _ state: FilterState, _ first: Int, _ toEnd: Bool, _ capacity: Int)
    {
        let last = toEnd ? min(state.partitions, capacity) : min(state.partitions, first + 1)
        job.partitions = max(0, last - first)
        job.ear_stride = state.earStride
    }
}
