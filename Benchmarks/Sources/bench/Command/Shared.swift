/// Values that all cells of one run share.
enum Shared {
    /// Path of VQF's library; nil if it was not built. Written once by the main thread, before the first measurement.
    nonisolated(unsafe) static var vqf: String?
}
