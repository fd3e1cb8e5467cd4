import Synchronization

/// Values of an instance's control outputs, passed from the audio thread to readers. Copies refer to the same memory.
struct LV2Readings {
    /// Number of control outputs.
    let count: Int
    /// Values that the plugin writes; they belong to the audio thread.
    let values: UnsafeMutablePointer<Float>
    private let shown: UnsafeMutablePointer<Atomic<UInt32>>

    /// Creates `count` readings, initially 0.
    init(_ count: Int, _ memory: LV2Memory) {
        self.count = count
        values = memory.row(count, of: 0)
        shown = memory.atomics(count, of: UInt32(0))
    }

    /// Publishes the values that the plugin wrote. Called on the audio thread.
    @_noLocks
    func publish() {
        for i in 0..<count { shown[i].store(values[i].bitPattern, ordering: .relaxed) }
    }

    /// Returns the last published value. May be called on any thread.
    subscript(index: Int) -> Float { Float(bitPattern: shown[index].load(ordering: .relaxed)) }
}
