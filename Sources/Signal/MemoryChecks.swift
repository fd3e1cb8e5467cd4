import CRealtime

// Numeric targets are optimised even in debug builds, and optimisation removes `assert`. The package's manifest
// therefore sets `CHECKED_MEMORY` for these targets in debug builds. Release builds have no checks.

/// In a debug build, ends the program if `index` is not in 0..<`bound`. The message names `what`, the index and the
/// bound. May be called on any thread, including the audio thread.
@inlinable @inline(__always) @_noLocks
package func checkIndex(_ index: Int, below bound: Int, _ what: StaticString) {
    #if CHECKED_MEMORY
        if index < 0 || index >= bound { prc_out_of_bounds(what.utf8Start, index, bound) }
    #endif
}

/// In a debug build, ends the program if `count` is not in 0…`limit`, as `checkIndex` does.
@inlinable @inline(__always) @_noLocks
package func checkCount(_ count: Int, upTo limit: Int, _ what: StaticString) {
    #if CHECKED_MEMORY
        if count < 0 || count > limit { prc_out_of_bounds(what.utf8Start, count, limit + 1) }
    #endif
}
