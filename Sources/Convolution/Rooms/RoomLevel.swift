import CKernels
import Signal

/// Level of a room's response (partitions of one size). It spreads its work on one block over the slices of the next
/// block.
///
/// While block b of the inputs arrives, the level works on block b − 1, and outputs its result for block b − 2. The
/// work on a block is done for a span of yaws that is chosen when the work begins. The gains of these yaws are applied
/// at the output. Only the audio thread uses the level, but another thread makes it.
package struct RoomLevel: ~Copyable {
    let level: PartitionLevel
    private let slice: Int
    let sources: Int
    /// First row of the inputs that the level reads.
    private let firstRow: Int
    let filters: RoomFilters
    private let fourier: LongFourier

    private let forward: UnsafeMutablePointer<WorkUnit>
    private let forwardCount: Int
    private let perState: UnsafeMutablePointer<WorkUnit>
    private let perStateCount: Int
    private let forwardCost: Double
    private let stateCost: Double

    /// `[chunk][slot][source][re 16, im 16]`: spectra of input blocks, in a ring of slots.
    let spectra: UnsafeMutablePointer<Float>
    let slots: Int
    /// Slot of the newest block.
    private(set) var newest = 0
    /// Number of blocks since the stream began, at most `slots`.
    private(set) var known = 0

    /// Interleaved rows of one source, or whole rows of several sources.
    private let rows: WorkRows
    private let spectraOfRows: WorkRows
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// `[ear]`: spectral sum of the filter state that is being computed.
    let sums: WorkRows
    /// `[ear]`: part of the next block's sum, computed in advance. Used only by a level that does not follow the head.
    let ahead: WorkRows
    /// Whether `ahead` has a part of the current block's sum.
    private(set) var isAhead = false
    /// Number of blocks since the stream began.
    private(set) var blocks = 0
    /// `[ear][interleaved row]`: shorter spectra of the sums.
    private let parts: WorkRows
    /// `[set][state][ear][interleaved row]`: block/radix samples each. One set is output while the other is computed.
    private let outputs: WorkRows
    /// Number of filter states for which a set of outputs has space.
    private let statesKept: Int
    /// Set that is output.
    private var heardSet = 0

    /// Yaws of the block that is output.
    private var heard = YawSpan(at: 0)
    /// Yaws of the block that is being computed.
    private(set) var coming = YawSpan(at: 0)
    /// Number of yaws in `heard`; 0 before the first output.
    private var heardCount = 0
    /// Number of yaws in `coming`; 0 before the first block.
    private var comingCount = 0
    /// Index of the next unit of work.
    private var next = 0
    /// Cost of the completed work, nanoseconds.
    private var done = 0.0
    /// Whether work on any block has begun since the stream began.
    private var isBusy = false

    /// Allocates a level at rest. Its block must be a multiple of the slice, and its first partition at least two
    /// blocks after the response's start. The level reads `sources` rows of the inputs, from `firstRow` on.
    package init(level: PartitionLevel, slice: Int, sources: Int, firstRow: Int, filters: consuming RoomFilters) {
        precondition(level.first >= 2 && level.block % slice == 0 && level.block % 16 == 0)
        self.level = level
        self.slice = slice
        self.sources = sources
        self.firstRow = firstRow
        let yaws = filters.yaws
        self.filters = filters
        let radix = PartitionLevel.radix(block: level.block)
        fourier = LongFourier(length: 2 * level.block, radix: radix)
        let work = LevelWork(level: level, slice: slice, sources: sources, radix: radix)
        forwardCount = work.forward.count
        perStateCount = work.perState.count
        forward = .allocate(capacity: forwardCount)
        perState = .allocate(capacity: perStateCount)
        for (i, unit) in work.forward.enumerated() { (forward + i).initialize(to: unit) }
        for (i, unit) in work.perState.enumerated() { (perState + i).initialize(to: unit) }
        forwardCost = work.forward.reduce(0) { $0 + $1.cost }
        stateCost = work.perState.reduce(0) { $0 + $1.cost }

        slots = level.first - 2 + level.count
        let count = level.block / 16 * slots * sources * 32
        spectra = AlignedMemory.allocate(Float.self, count: count)
        spectra.initialize(repeating: 0, count: count)
        let together = LevelWork.rowsTogether(radix: radix, length: 2 * level.block)
        rows = WorkRows(count: max(radix, together), length: fourier.shortLength)
        spectraOfRows = WorkRows(count: radix, length: fourier.shortLength)
        targets = .allocate(capacity: together)
        targets.initialize(repeating: nil, count: together)
        sums = WorkRows(count: 2, length: 2 * level.block)
        ahead = WorkRows(count: 2, length: yaws == 1 ? 2 * level.block : 16)
        parts = WorkRows(count: 2 * radix, length: radix == 1 ? 16 : fourier.shortLength)
        statesKept = yaws == 1 ? 1 : YawSpan.most
        outputs = WorkRows(count: 2 * statesKept * 2 * radix, length: level.block / radix)
    }

    deinit {
        forward.deallocate()
        perState.deallocate()
        spectra.deallocate()
        targets.deallocate()
    }

    /// Frames per block.
    package var block: Int { @_noLocks get { level.block } }
    /// Bytes of the filters.
    package var filterBytes: Int { filters.byteCount }
    /// Bytes of the input spectra, the rows, the sums and the outputs.
    package var workBytes: Int {
        8 * level.block * slots * sources + outputs.byteCount + sums.byteCount + rows.byteCount + parts.byteCount
            + spectraOfRows.byteCount
    }

    /// Resets to silence, at a position of the yaw table.
    @_noLocks
    package mutating func reset(position: Double) {
        known = 0
        newest = 0
        blocks = 0
        (heardCount, comingCount) = (0, 0)
        heard = YawSpan(at: filters.yaws > 1 ? position : 0)
        coming = heard
        isBusy = false
    }

    /// Begins the work on a complete block of inputs. From now on the result of the previous work is output. The new
    /// work is for the head's motion from one to two blocks ahead, which is expected to lead from `start` to `end` on
    /// the table.
    @_noLocks
    package mutating func begin(from start: Double, to end: Double) {
        heardSet = 1 - heardSet
        heard = coming
        heardCount = comingCount
        newest = newest == 0 ? slots - 1 : newest - 1
        isAhead = known == slots && filters.yaws == 1
        known = min(known + 1, slots)
        blocks += 1
        if filters.yaws > 1 { coming = YawSpan(from: start, to: end, margin: 0.1, after: heard) }
        comingCount = coming.count
        next = 0
        done = 0
        isBusy = true
    }

    /// Does one slice's share of the work. `index`, 0..<block/slice, counts the slices since `begin`. `inputs` has
    /// advanced by as many slices since `begin`.
    @_noLocks
    package mutating func work(slice index: Int, _ inputs: borrowing RoomInputs) {
        guard isBusy else { return }
        let shares = level.block / slice
        let all = forwardCost + Double(comingCount) * stateCost
        let target = all * Double(index + 1) / Double(shares)
        let count = forwardCount + comingCount * perStateCount
        while next < count {
            if next < forwardCount {
                let unit = forward[next]
                if index + 1 < shares && done + unit.cost / 2 > target { return }
                run(unit, inputs, late: index * slice)
                done += unit.cost
            } else {
                let state = (next - forwardCount) / perStateCount
                let unit = perState[next - forwardCount - state * perStateCount]
                if index + 1 < shares && done + unit.cost / 2 > target { return }
                run(unit, state: state)
                done += unit.cost
            }
            next += 1
        }
    }

    /// Returns the table position nearest to `wanted` that the output block can render. If the fade ends with the block
    /// (`endsBlock`), the next block, too, can render the returned position.
    @_noLocks
    package func hold(_ wanted: Double, endsBlock: Bool) -> Double {
        let held = heardCount == 0 ? wanted : heard.clamp(wanted)
        return endsBlock && comingCount > 0 ? coming.clamp(held) : held
    }

    /// Adds the frames of `fade` to both ears, from frame `start` of the output block on.
    @_noLocks
    package func add(
        from start: Int, fade: YawFade, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        let radix = fourier.radix
        for state in 0..<heardCount {
            let (gain, step) = fade.gain(of: state, in: heard)
            if gain == 0 && step == 0 { continue }
            let rows = outputs.read + (heardSet * statesKept + state) * 2 * radix
            prk_room_weave(radix, start, fade.frames, rows, gain, step, left)
            prk_room_weave(radix, start, fade.frames, rows + radix, gain, step, right)
        }
    }

    @_noLocks
    private func run(_ unit: WorkUnit, _ inputs: borrowing RoomInputs, late: Int) {
        let block = level.block
        switch unit.kind {
        case .split:
            for half in 0..<2 where unit.from <= half * block && half * block < unit.to {
                let samples = inputs.window(
                    firstRow + unit.index, ending: late + (1 - half) * block, frames: block)
                fourier.split(samples, count: block, at: half * block, rows: rows.write)
            }
        case .transform:
            if fourier.radix == 1 {
                transformWhole(unit, inputs, late: late)
            } else {
                fourier.forward(
                    count: unit.to - unit.from, rows: rows.read + unit.from, spectra: spectraOfRows.write + unit.from)
            }
        case .join:
            fourier.join(
                spectraOfRows.read, from: unit.from, to: unit.to, into: slot(unit.index), stride: slots * sources * 32)
        case .sum, .part, .restore: break
        }
    }

    /// Transforms the blocks of some sources without a split (radix 1).
    @_noLocks
    private func transformWhole(_ unit: WorkUnit, _ inputs: borrowing RoomInputs, late: Int) {
        let block = level.block
        for source in unit.from..<unit.to {
            let row = source - unit.from
            let older = inputs.window(firstRow + source, ending: late + block, frames: block)
            let newer = inputs.window(firstRow + source, ending: late, frames: block)
            if newer == older + block {
                rows.read[row] = older
            } else {
                Samples.copy(older, to: rows[row], count: block)
                Samples.copy(newer, to: rows[row] + block, count: block)
                rows.read[row] = UnsafePointer(rows[row])
            }
            targets[row] = slot(source)
        }
        fourier.forward(
            count: unit.to - unit.from, rows: rows.read, spectra: targets, stride: slots * sources * 32)
    }

    /// Returns where a source's spectrum of the newest block begins.
    @_noLocks
    private func slot(_ source: Int) -> UnsafeMutablePointer<Float> { spectra + (newest * sources + source) * 32 }

    @_noLocks
    private func run(_ unit: WorkUnit, state: Int) {
        let radix = fourier.radix
        switch unit.kind {
        case .sum:
            if known == slots && filters.yaws == 1 {
                sumPair(unit.from..<unit.to)
            } else {
                sum(unit.from..<unit.to, state)
            }
        case .part:
            fourier.part(sums[unit.index], from: unit.from, to: unit.to, into: parts.write + unit.index * radix)
        case .restore:
            let made = ((1 - heardSet) * statesKept + state) * 2 * radix
            fourier.inverse(
                count: unit.to - unit.from, spectra: (radix == 1 ? sums.read : parts.read) + unit.from,
                rows: outputs.write + made + unit.from)
        case .split, .transform, .join: break
        }
    }
}
