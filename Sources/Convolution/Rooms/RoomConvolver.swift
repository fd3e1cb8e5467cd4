import CRealtime
import Signal

/// Convolves sources with the responses of a room to two ears. A response has thousands of taps; the first ones follow
/// the head.
///
/// The response is divided into levels of growing blocks (`PartitionPlan`). The first level works within the slice. All
/// other levels spread their work over the slices until the work is due, so that every slice costs nearly the same.
/// Work and sound depend on the stream's frame, not on the driver's period.
///
/// Motion: the early part has filters for several yaws of the head, in a table. The sum over all sources is computed
/// for the one to four yaws that the head passes, and the output crossfades between them. As all sources share one head
/// yaw, this equals a linear interpolation of the filters at every frame, and no filter is recomputed. A level of
/// longer blocks computes its sums for the yaws expected at the time of their output. If the head turns beyond these
/// yaws, the nearest of them is rendered until the next block begins, some milliseconds later.
///
/// Only the audio thread uses the convolver, but another thread makes it. Calls cannot fail, and allocate only in
/// `init`.
package struct RoomConvolver: ~Copyable {
    /// Frames of a slice.
    package let slice: Int
    /// Number of sources.
    package let sources: Int
    /// Number of yaws in the table; 1 if the response does not follow the head.
    package let yaws: Int
    /// Frames of a crossfade from one pose to the next.
    package let fade: Int
    private var inputs: RoomInputs
    private let direct: UnsafeMutablePointer<DirectLevel>
    private let levels: UnsafeMutablePointer<RoomLevel>
    private let levelCount: Int
    /// `[level][0...fades]`: positions on the table at the ends of the fades. The direct level is first.
    private let path: UnsafeMutablePointer<Double>
    private let fades: Int
    /// Frames since the stream began, in whole slices.
    private var time = 0
    /// Yaw of the head in steps of the table. It continues past full turns.
    private var position = 0.0

    /// Prepares the filters of a room in levels of growing blocks. Levels of the early part have filters for every yaw.
    ///
    /// `fade` must divide the slice. Cost: one transform per partition, source, yaw and ear. `taps` is not kept.
    package init(slice: Int, fade: Int, taps: RoomTaps) {
        precondition(fade > 0 && slice % fade == 0)
        self.slice = slice
        self.fade = fade
        sources = taps.sources
        yaws = taps.yaws
        let plan = RoomPlan(taps, slice: slice)
        let longest = plan.levels.map(\.level.block).max() ?? slice
        inputs = RoomInputs(
            sources: taps.sources, slice: slice, longest: longest, mixes: plan.levels.contains { $0.isMixed })
        let (first, range) = (plan.levels[0].level, plan.levels[0].range)
        direct = .allocate(capacity: 1)
        direct.initialize(
            to: DirectLevel(
                level: first, sources: taps.sources,
                filters: RoomFilters(level: first, sources: taps.sources, yaws: taps.yaws) {
                    taps.copy(first.taps, source: $0, yaw: $1, ear: $2, in: range, to: $3)
                }))
        levelCount = plan.levels.count - 1
        levels = .allocate(capacity: max(1, levelCount))
        for (index, part) in plan.levels.dropFirst().enumerated() {
            let sources = part.isMixed ? 1 : taps.sources
            let filters = RoomFilters(level: part.level, sources: sources, yaws: part.isTracked ? taps.yaws : 1) {
                taps.copy(part.level.taps, source: $0, yaw: $1, ear: $2, in: part.range, to: $3)
            }
            (levels + index).initialize(
                to: RoomLevel(
                    level: part.level, slice: slice, sources: sources, firstRow: part.isMixed ? taps.sources : 0,
                    filters: filters))
        }
        let count = levelCount
        fades = slice / fade
        path = .allocate(capacity: (count + 1) * (fades + 1))
        path.initialize(repeating: 0, count: (count + 1) * (fades + 1))
    }

    deinit {
        direct.deinitialize(count: 1)
        direct.deallocate()
        levels.deinitialize(count: levelCount)
        levels.deallocate()
        path.deallocate()
    }

    /// Bytes of the filters, and bytes of all other memory.
    package var byteCounts: (filters: Int, work: Int) {
        var (filters, work) = (direct.pointee.filterBytes, direct.pointee.workBytes + inputs.byteCount)
        for index in 0..<levelCount {
            filters += levels[index].filterBytes
            work += levels[index].workBytes
        }
        return (filters, work)
    }

    /// Resets to silence and stream time 0. `yaw` is the head's yaw, radians.
    @_noLocks
    package mutating func reset(yaw: Double) {
        inputs.reset()
        direct.pointee.reset()
        time = 0
        position = 0
        position = target(yaw)
        for index in 0..<levelCount { levels[index].reset(position: position) }
        for index in 0..<(levelCount + 1) * (fades + 1) { path[index] = position }
    }

    /// Returns where a source's samples are to be written before `render`. Frame 0 of the current slice is written to
    /// this address.
    @_noLocks
    package func current(_ source: Int) -> UnsafeMutablePointer<Float> { inputs.current(source) }

    /// Begins a slice. `yaws[i]` is the head's yaw at the end of the slice's i-th fade, radians.
    @_noLocks
    package mutating func beginSlice(_ yaws: UnsafePointer<Double>) {
        guard self.yaws > 1 else { return }
        let way = fades + 1
        path[0] = path[fades]
        var (low, high) = (path[0], path[0])
        for index in 0..<fades {
            position = target(yaws[index])
            path[index + 1] = position
            low = min(low, position)
            high = max(high, position)
        }
        var span = YawSpan(from: low, to: high)
        if !span.covers(path[0]) { span = YawSpan(from: path[0], to: position) }
        for index in 0...fades { path[index] = span.clamp(path[index]) }
        direct.pointee.begin(span)
        for level in 0..<levelCount {
            let at = path + (level + 1) * way
            let block = levels[level].block
            let isLast = (time + slice) % block == 0
            at[0] = at[fades]
            for index in 0..<fades {
                at[index + 1] = levels[level].hold(target(yaws[index]), endsBlock: isLast && index == fades - 1)
            }
        }
    }

    /// Renders frames `start`..<`end` of the current slice and adds them to both ears. The input samples before frame
    /// `end` must be present.
    @_noLocks
    package mutating func render(
        from start: Int, to end: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        direct.pointee.render(from: start, to: end, inputs)
        for level in 0...levelCount {
            var frame = start
            while frame < end {
                let segment = frame / fade
                let at = path + level * (fades + 1) + segment
                let part = YawFade(
                    from: at[0], to: at[1], frames: fade, passed: frame - segment * fade,
                    wanted: min((segment + 1) * fade, end) - frame)
                let (l, r) = (left + (frame - start), right + (frame - start))
                if level == 0 {
                    direct.pointee.add(from: frame, fade: part, left: l, right: r)
                } else {
                    levels[level - 1].add(
                        from: time % levels[level - 1].block + frame, fade: part, left: l, right: r)
                }
                frame += part.frames
            }
        }
    }

    /// Completes the slice. Every level does its share of work.
    ///
    /// `ahead` is the forecast of the head's yaw after the end of this slice.
    @_noLocks
    package mutating func endSlice(expecting ahead: YawForecast) {
        inputs.advance()
        direct.pointee.advance()
        time += slice
        for level in 0..<levelCount {
            let block = levels[level].block
            if time % block == 0 {
                levels[level].begin(from: target(ahead.yaw(after: block)), to: target(ahead.yaw(after: 2 * block)))
            }
            levels[level].work(slice: time % block / slice, inputs)
        }
    }

    /// Returns the table position of a yaw (radians). Of the positions that differ by full turns, it is the one nearest
    /// to the head's position.
    @_noLocks
    private func target(_ yaw: Double) -> Double {
        guard yaws > 1 else { return 0 }
        let turn = Double(yaws)
        let step = yaw / (2 * .pi) * turn - position
        return position + step - turn * prc_floor(step / turn + 0.5)
    }
}
