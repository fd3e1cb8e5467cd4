import CRealtime

/// The memory of this process.
package enum HostMemory {
    /// Returns free memory to the system, for example after the release of a stage. Takes some milliseconds; never on
    /// the audio thread.
    package static func returnUnused() { prc_return_memory() }
}
