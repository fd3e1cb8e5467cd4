import CRealtime

// Numeric targets are optimised in debug builds too, where `assert` says nothing: `CHECKED_MEMORY` is set for debug
// builds by the package's manifest, and release builds have nothing of this.

/// In debug builds, ends the program with a message that names `what`, the index and the bound where 0 ≤ index < bound
/// does not hold. Any thread, the audio thread too.
@inlinable @inline(__always) @_noLocks
package func checkIndex(_ index: Int, below bound: Int, _ what: StaticString) {
    #if CHECKED_MEMORY
        if index < 0 || index >= bound { prc_out_of_bounds(what.utf8Start, index, bound) }
    #endif
}

/// In debug builds, ends the program likewise where 0 ≤ count ≤ limit does not hold.
@inlinable @inline(__always) @_noLocks
package func checkCount(_ count: Int, upTo limit: Int, _ what: StaticString) {
    #if CHECKED_MEMORY
        if count < 0 || count > limit { prc_out_of_bounds(what.utf8Start, count, limit + 1) }
    #endif
}
