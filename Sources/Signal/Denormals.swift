import CRealtime

/// Numbers below the normal range of floating point. Processors take many times as long for them.
package enum Denormals {
    /// Makes the processor treat them as zero, on the calling thread from now on. Real-time safe.
    package static func flush() { prc_flush_denormals() }
}
