import Convolution
import Signal

/// One filter field at work on the copies that give the sources of one programme width (`SourceSpread`).
///
/// Made off the audio thread, used by it alone.
struct SpreadBank: ~Copyable {
    private let filters: StageFilters
    private let convolver: BinauralConvolver
    private let ears: StageEars
    private let slice: Int
    private let silent: Int
    /// Where a state's list holds this bank's filters.
    let offset: Int
    private let states: UnsafeMutablePointer<FilterList>

    /// Silent filters for `copies` ≥ 1 copies, of which a state's list holds the filters from `offset` on.
    init(copies: Int, form: FilterForm, versions: Int, offset: Int, lists: FilterList) {
        convolver = BinauralConvolver(sourceCount: copies, form: form)
        // One version more, which stays silent.
        filters = StageFilters(sourceCount: copies, chunks: form.chunks, versionCount: versions + 1)
        ears = StageEars(slice: form.slice)
        slice = form.slice
        self.offset = offset
        silent = versions
        states = .allocate(capacity: StageEars.maximumStates)
        states.initialize(repeating: lists + offset, count: StageEars.maximumStates)
    }

    deinit { states.deallocate() }

    /// Floats from one chunk of a filter to its next.
    var stride: Int { @_noLocks get { filters.stride } }

    /// One version of a copy's filters.
    @_noLocks
    func filter(_ copy: Int, version: Int) -> UnsafeMutablePointer<Float> {
        filters.filter(ofSource: copy, version: version)
    }

    /// Filters of a copy that let nothing through.
    @_noLocks
    func silence(_ copy: Int) -> UnsafePointer<Float> { UnsafePointer(filters.filter(ofSource: copy, version: silent)) }

    /// Transforms the newest samples of all copies; once for all states of a slice.
    @_noLocks
    func analyse(_ history: borrowing SourceHistory) { convolver.analyse(history) }

    /// Renders `count` states, by their whole lists, and adds them to `target` from state `first` on. Cost: a
    /// convolver's.
    @_noLocks
    func add(_ lists: UnsafePointer<FilterList>, count: Int, to target: borrowing StageEars, first: Int) {
        for state in 0..<count { states[state] = lists[state] + offset }
        convolver.render(states, count: count, stride: filters.stride, into: ears, first: 0)
        for state in 0..<count {
            for ear in 0..<2 {
                Samples.add(ears.row(state, ear), gain: 1, to: target.row(first + state, ear), count: slice)
            }
        }
    }
}
