/// What cells of one run share.
enum Shared {
    /// VQF's library, if it was built. Written once, before anything is measured, by the only thread there is.
    nonisolated(unsafe) static var vqf: String?
}
