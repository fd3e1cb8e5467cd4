import Convolution
import Geometry
import HRTF
import Signal
import Soundstage

/// Constants of one source, as the audio thread reads them.
struct FollowedSource: BitwiseCopyable {
    enum Kind { case tracked, fixed, direct }
    let kind: Kind
    let direction: SIMD3<Double>
    let gain: Float
    let leftGain: Float
    let rightGain: Float
    let programme: Int
    /// Width of the source itself, radians.
    let width: Double
    /// Index of the field's shell (a measured distance) whose filters the source uses.
    let shell: Int
    /// Index of the spread bank with the source's copies; −1 for a source that cannot be wide.
    var spread = -1
    /// Index of the source's first copy in that spread bank.
    var copy = 0

    init(_ placement: SourcePlacement) {
        direction = placement.direction.unit
        gain = placement.gain
        programme = placement.programme
        width = placement.width
        shell = placement.shell
        switch placement.motion {
        case .tracked: (kind, leftGain, rightGain) = (.tracked, 1, 1)
        case .fixed: (kind, leftGain, rightGain) = (.fixed, 1, 1)
        case .direct(let left, let right): (kind, leftGain, rightGain) = (.direct, left, right)
        }
    }
}

/// Filters of all sources from one field (HRTF filters for all directions), and the convolvers that apply them. A slice
/// crossfades between several states of these filters, one for each pose of the head.
///
/// The bank is made and freed off the audio thread, and used by the audio thread alone. The spectral field must outlive
/// the bank, which holds the field's handle.
struct FilterBank: ~Copyable {
    /// `[shell]`: the field for each measured distance. All have the same grid.
    private let fields: UnsafeMutablePointer<SpectralFieldHandle>
    private let sources: UnsafeMutablePointer<FollowedSource>
    private let count: Int
    private let filters: StageFilters
    private let convolver: BinauralConvolver
    /// Spread banks, one for each programme with wide sources, in the order of `StageConfiguration.wideSources`.
    private let spreads: UnsafeMutablePointer<SpreadBank>
    private let spreadCount: Int
    private let spread: SourceSpread
    /// `[source]`: direction, in head axes, for which its newest filters were made.
    private let seen: UnsafeMutablePointer<SIMD3<Double>>
    /// `[source]`: width for which its newest filters were made, radians.
    private let seenWidth: UnsafeMutablePointer<Double>
    /// `[source]`: index of the newest filters among the versions of the source's filters.
    private let version: UnsafeMutablePointer<Int>
    /// `[source]`: delays of the newest filters to the two ears, samples. NaN if the next filters do not count as a
    /// continued motion.
    private let delays: UnsafeMutablePointer<SIMD2<Double>>
    /// `[source]`: whether the newest filters were made for a moving source. They are made again when the source has
    /// come to rest.
    private let isUnderway: UnsafeMutablePointer<Bool>
    /// Scratch memory of `follow`: the sources that move, and the grid cells of their new directions.
    private let moving: UnsafeMutablePointer<(source: Int, cell: GridCell)>
    /// `[state][row]`: filters of the states that a slice may need at once, and of the state being made. The rows are
    /// the sources, followed by the copies of sources that can be wide.
    private let lists: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// Number of rows of a state.
    private let rowCount: Int
    /// Number of states in `lists`.
    private let listCount: Int
    /// Delay of a frontal source through the filters, frames. The direct path has the same delay.
    let directDelay: Int
    /// `[programme]`: table of the filters that give the programme's upmix the spectrum of plain stereo through this
    /// bank. The table is empty for a programme without `colouredGroups`.
    let colours: UnsafeMutablePointer<UpmixColourTable>
    private let colourCount: Int
    /// Index of the newest state in `lists`.
    private var current = 0

    /// Makes filters for the given placements, for a head that faces the front.
    ///
    /// - Parameters:
    ///   - placements: All sources, followed by the voices.
    ///   - wide: One list for each programme with sources that can have width: the indices of these sources.
    ///   - tables: One table of colours per programme. The bank frees them.
    ///   - spectral: The spectral field that gives the filters.
    ///   - fades: Number of fades per slice.
    init(
        placements: [SourcePlacement], wide: [[Int]] = [], colours tables: [UpmixColourTable],
        field spectral: SpectralField, fades: Int
    ) {
        colourCount = tables.count
        colours = .allocate(capacity: max(1, tables.count))
        for (index, table) in tables.enumerated() { (colours + index).initialize(to: table) }
        let shells = spectral.field.shellCount
        fields = .allocate(capacity: shells)
        for shell in 0..<shells { (fields + shell).initialize(to: spectral.handle.shell(shell)) }
        spread = SourceSpread(spectral.handle)
        count = placements.count
        spreadCount = wide.count
        rowCount = count + SourceSpread.copies * wide.reduce(0) { $0 + $1.count }
        sources = .allocate(capacity: max(1, count))
        seen = .allocate(capacity: max(1, count))
        seenWidth = .allocate(capacity: max(1, count))
        seenWidth.initialize(repeating: 0, count: max(1, count))
        spreads = .allocate(capacity: max(1, wide.count))
        version = .allocate(capacity: max(1, count))
        delays = .allocate(capacity: max(1, count))
        delays.initialize(repeating: SIMD2(repeating: .nan), count: max(1, count))
        isUnderway = .allocate(capacity: max(1, count))
        isUnderway.initialize(repeating: false, count: max(1, count))
        moving = .allocate(capacity: max(1, count))
        convolver = BinauralConvolver(sourceCount: count, form: spectral.form)
        filters = StageFilters(sourceCount: count, chunks: spectral.form.chunks, versionCount: fades + 1)
        listCount = fades + 1
        directDelay = max(0, Int(spectral.field.onsetFrames.rounded()))
        lists = .allocate(capacity: listCount * max(1, rowCount))
        lists.initialize(repeating: nil, count: listCount * max(1, rowCount))
        for (index, placement) in placements.enumerated() {
            let source = FollowedSource(placement)
            (sources + index).initialize(to: source)
            (seen + index).initialize(to: source.direction)
            (version + index).initialize(to: 0)
            let filter = filters.filter(ofSource: index, version: 0)
            lists[index] = UnsafePointer(filter)
            switch source.kind {
            case .direct:
                spectral.pass(
                    delay: directDelay, left: source.gain * source.leftGain,
                    right: source.gain * source.rightGain, to: filter, stride: filters.stride)
            case .fixed, .tracked:
                let at = source.direction
                fields[source.shell].evaluate(
                    x: at.x, y: at.y, z: at.z, gain: source.gain, to: filter, stride: filters.stride)
            }
        }
        var row = count
        for (group, members) in wide.enumerated() {
            let copies = SourceSpread.copies * members.count
            (spreads + group).initialize(
                to: SpreadBank(
                    copies: copies, form: spectral.form, versions: listCount, offset: row, lists: UnsafePointer(lists)))
            for (place, source) in members.enumerated() {
                sources[source].spread = group
                sources[source].copy = SourceSpread.copies * place
            }
            for copy in 0..<copies { lists[row + copy] = spreads[group].silence(copy) }
            row += copies
        }
    }

    deinit {
        fields.deallocate()
        sources.deallocate()
        seen.deallocate()
        seenWidth.deallocate()
        spreads.deinitialize(count: spreadCount)
        spreads.deallocate()
        version.deallocate()
        delays.deallocate()
        isUnderway.deallocate()
        moving.deallocate()
        lists.deallocate()
        for index in 0..<colourCount { colours[index].deallocate() }
        colours.deallocate()
    }

    /// Largest change of a delay during one fade that counts as a turn of the head, samples. It is reached at about
    /// 900°/s at 48 kHz.
    static var largestChange: Double { @_noLocks get { 0.5 } }

    /// Returns the taps that a field's filters need: enough for its own responses, and for the delay of a source
    /// without HRTF.
    static func tapCount(of field: FilterField) -> Int { max(field.tapCount, directTaps(field)) }

    /// Returns how a field's filters are divided on a grid of `slice` frames.
    static func form(of field: FilterField, slice: Int) -> FilterForm {
        field.form(slice: slice, atLeast: directTaps(field))
    }

    private static func directTaps(_ field: FilterField) -> Int { max(1, Int(field.onsetFrames.rounded()) + 1) }

    /// Returns the newest filter state.
    @_noLocks
    func state() -> FilterList { UnsafePointer(lists + current * rowCount) }

    /// Makes the filter state for a head pose. Returns false, and keeps the newest state, if no source moved relative
    /// to the head.
    ///
    /// - Parameters:
    ///   - turns: For each programme, the rotation from its stage to the head.
    ///   - widths: For each programme, the width of its sources, radians.
    ///   - places: The direction of each source on its stage.
    ///   - all: Whether every tracked source counts as moved.
    ///
    /// A source counts as moved if its direction changed by more than 1e-7 rad (no filter resolves less), or if its
    /// width changed. It counts once more when it has come to rest. Cost: one evaluation of the field per moved source,
    /// three if it has width; unmoved sources cost nothing.
    @_noLocks
    mutating func follow(
        _ turns: UnsafePointer<Quaternion>, widths: UnsafePointer<Double>, places: UnsafePointer<SIMD3<Double>>,
        all: Bool
    ) -> Bool {
        let next = current + 1 == listCount ? 0 : current + 1
        let (old, new) = (lists + current * rowCount, lists + next * rowCount)
        for row in count..<rowCount { new[row] = old[row] }
        var moved = 0
        for index in 0..<count {
            new[index] = old[index]
            if sources[index].kind == .direct { continue }
            let isTracked = sources[index].kind == .tracked
            let turn = turns[sources[index].programme]
            let direction = isTracked ? turn.rotate(places[index]) : places[index]
            let width =
                sources[index].spread < 0 ? 0 : max(sources[index].width, widths[sources[index].programme])
            let step = direction - seen[index]
            let widens = width - seenWidth[index]
            guard (all && isTracked) || (step * step).sum() > 1e-14 || widens != 0 || isUnderway[index]
            else { continue }
            seen[index] = direction
            seenWidth[index] = width
            moving[moved] = (index, fields[0].cell(x: direction.x, y: direction.y, z: direction.z))
            moved += 1
        }
        for place in 0..<moved {
            let (index, cell) = moving[place]
            let direction = seen[index]
            version[index] = version[index] + 1 == listCount ? 0 : version[index] + 1
            let filter = filters.filter(ofSource: index, version: version[index])
            new[index] = UnsafePointer(filter)
            if sources[index].spread >= 0 {
                spreadOut(index, direction, places[index], turns[sources[index].programme], own: filter, list: new)
                if seenWidth[index] > 0 {
                    delays[index] = SIMD2(repeating: .nan)
                    isUnderway[index] = false
                    continue
                }
            }
            let shell = sources[index].shell
            let now = fields[shell].delays(cell)
            var change = now - delays[index]
            // A larger change is a jump, not a motion. NaN is no motion either.
            let limit = FilterBank.largestChange
            if all || !(abs(change.x) <= limit && abs(change.y) <= limit) { change = .zero }
            delays[index] = now
            isUnderway[index] = change != .zero
            fields[shell].evaluate(
                x: direction.x, y: direction.y, z: direction.z, cell: cell,
                coming: place + 1 < moved ? moving[place + 1].cell : nil, gain: sources[index].gain, change: change,
                to: filter, stride: filters.stride)
        }
        if moved > 0 { current = next }
        return moved > 0
    }

    /// Makes all filters of a source with width. Sets the copies of a source without width to silence.
    @_noLocks
    private func spreadOut(
        _ index: Int, _ direction: SIMD3<Double>, _ place: SIMD3<Double>, _ turn: Quaternion,
        own: UnsafeMutablePointer<Float>, list: UnsafeMutablePointer<UnsafePointer<Float>?>
    ) {
        let source = sources[index]
        let bank = spreads + source.spread
        let row = bank.pointee.offset + source.copy
        guard seenWidth[index] > 0 else {
            for copy in 0..<SourceSpread.copies { list[row + copy] = bank.pointee.silence(source.copy + copy) }
            return
        }
        let left = SourceSpread.left(of: place)
        let first = bank.pointee.filter(source.copy, version: version[index])
        let second = bank.pointee.filter(source.copy + 1, version: version[index])
        spread.evaluate(
            fields[source.shell], direction, left: source.kind == .tracked ? turn.rotate(left) : left,
            width: seenWidth[index],
            gain: source.gain, own: own, stride: filters.stride, first: first, second: second,
            copyStride: bank.pointee.stride)
        list[row] = UnsafePointer(first)
        list[row + 1] = UnsafePointer(second)
    }

    /// Transforms the newest samples of all sources. Call once for all states of a slice.
    @_noLocks
    func analyse(_ history: borrowing SourceHistory, _ copies: UnsafePointer<DecorrelatedCopies>) {
        convolver.analyse(history)
        for group in 0..<spreadCount where copies[group].isActive {
            spreads[group].analyse(copies[group].history)
        }
    }

    /// Renders `count` of this bank's states into `ears`, beginning at state `first` of the slice.
    @_noLocks
    func render(
        _ states: UnsafePointer<FilterList>, count: Int, into ears: borrowing StageEars, first: Int,
        _ copies: UnsafePointer<DecorrelatedCopies>
    ) {
        convolver.render(states, count: count, stride: filters.stride, into: ears, first: first)
        for group in 0..<spreadCount where copies[group].isActive {
            spreads[group].add(states, count: count, to: ears, first: first)
        }
    }
}
