import Synchronization

/// What an instance's control outputs show, on its way from the audio thread to a reader. A handle.
struct LV2Readings {
    /// How many.
    let count: Int
    /// What the plugin writes; the audio thread's.
    let values: UnsafeMutablePointer<Float>
    private let shown: UnsafeMutablePointer<Atomic<UInt32>>

    /// So many, at 0.
    init(_ count: Int, _ memory: LV2Memory) {
        self.count = count
        values = memory.row(count, of: 0)
        shown = memory.atomics(count, of: UInt32(0))
    }

    /// Shows what the plugin wrote. The audio thread.
    @_noLocks
    func publish() {
        for i in 0..<count { shown[i].store(values[i].bitPattern, ordering: .relaxed) }
    }

    /// One value as last shown. Any thread.
    subscript(index: Int) -> Float { Float(bitPattern: shown[index].load(ordering: .relaxed)) }
}
