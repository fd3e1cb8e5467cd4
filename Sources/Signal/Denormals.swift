import CRealtime

/// Denormal numbers: nonzero floating-point numbers below the normal range. Processors take many times as long for
/// them.
package enum Denormals {
    /// Makes the processor treat denormal numbers as zero on the calling thread, from now on. Real-time safe.
    package static func flush() { prc_flush_denormals() }
}
