import CRealtime

/// Numbers below the normal range, on which processors take many times as long.
package enum Denormals {
    /// Makes the processor take them as zero, on the calling thread from now on. Real-time safe.
    package static func flush() { prc_flush_denormals() }
}
