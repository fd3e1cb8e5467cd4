import Signal

/// Overlap-add synthesis of two rows from bins to samples: a stem with and without late reverberation.
struct StemSynthesis: ~Copyable {
    /// Synthesis window, and for both rows the overlapping sums and the newest frame.
    private let window: Row<Float>, sums: PlanarBlock, frames: PlanarBlock
    private let hop: Int, heard: Int

    /// Creates a synthesis in its silent initial state.
    init(_ tuning: AudioMixTuning, window: [Float]) {
        (hop, heard) = (tuning.hop, tuning.heard)
        self.window = Row(heard, 0)
        for i in 0..<heard { self.window.base[i] = window[i] }
        sums = PlanarBlock(channels: 2, frames: heard)
        frames = PlanarBlock(channels: 2, frames: heard)
    }

    /// Returns to the silent initial state.
    @_noLocks
    func reset() { for row in 0..<2 { Samples.clear(sums[row], count: heard) } }

    /// Adds a frame of both rows. Cost: two transforms.
    @_noLocks
    func add(
        _ first: UnsafePointer<Complex>, _ second: UnsafePointer<Complex>, _ transform: borrowing FieldTransform
    ) {
        transform.inverse(first, second, newest: heard, into: UnsafePointer(frames.pointers))
        for row in 0..<2 {
            let (sum, newest) = (sums[row], frames[row])
            for i in 0..<heard { sum[i] += newest[i] * window.base[i] }
        }
    }

    /// Writes the next hop of both rows. A silent frame needs no preceding `add`.
    @_noLocks
    func next(_ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>) {
        take(sums[0], into: first)
        take(sums[1], into: second)
    }

    @_noLocks
    private func take(_ sum: UnsafeMutablePointer<Float>, into target: UnsafeMutablePointer<Float>) {
        Samples.copy(sum, to: target, count: hop)
        // The ranges overlap. A loop with increasing index moves the samples correctly.
        for i in 0..<heard - hop { sum[i] = sum[i + hop] }
        Samples.clear(sum + heard - hop, count: hop)
    }
}
