import CRealtime

/// The memory of this process.
package enum HostMemory {
    /// Returns free memory to the system, for example after large buffers were freed. Takes some milliseconds, and must
    /// not be called on the audio thread.
    package static func returnUnused() { prc_return_memory() }
}
