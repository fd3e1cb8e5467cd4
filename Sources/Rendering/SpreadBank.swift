import Convolution
import Signal

/// Filters from one field for the decorrelated copies that give one programme's sources width (`SourceSpread`).
///
/// The bank is made on another thread; only the audio thread uses it.
struct SpreadBank: ~Copyable {
    private let filters: StageFilters
    private let convolver: BinauralConvolver
    private let ears: StageEars
    private let slice: Int
    private let silent: Int
    /// Index of this bank's first filter in the filter list of each state.
    let offset: Int
    private let states: UnsafeMutablePointer<FilterList>

    /// Makes silent filters for `copies` ≥ 1 copies. In a state's list these filters begin at index `offset`.
    init(copies: Int, form: FilterForm, versions: Int, offset: Int, lists: FilterList) {
        convolver = BinauralConvolver(sourceCount: copies, form: form)
        // There is one version more, which stays silent.
        filters = StageFilters(sourceCount: copies, chunks: form.chunks, versionCount: versions + 1)
        ears = StageEars(slice: form.slice)
        slice = form.slice
        self.offset = offset
        silent = versions
        states = .allocate(capacity: StageEars.maximumStates)
        states.initialize(repeating: lists + offset, count: StageEars.maximumStates)
    }

    deinit { states.deallocate() }

    /// Floats from one chunk of a filter to the next.
    var stride: Int { @_noLocks get { filters.stride } }

    /// Returns one version of a copy's filters.
    @_noLocks
    func filter(_ copy: Int, version: Int) -> UnsafeMutablePointer<Float> {
        filters.filter(ofSource: copy, version: version)
    }

    /// Returns the silent filters of a copy.
    @_noLocks
    func silence(_ copy: Int) -> UnsafePointer<Float> { UnsafePointer(filters.filter(ofSource: copy, version: silent)) }

    /// Transforms the newest samples of all copies. Call once for all states of a slice.
    @_noLocks
    func analyse(_ history: borrowing SourceHistory) { convolver.analyse(history) }

    /// Renders `count` states and adds them to the states of `target` from `first` on. `lists` has the complete filter
    /// list of each state. Cost: that of a `BinauralConvolver`.
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
