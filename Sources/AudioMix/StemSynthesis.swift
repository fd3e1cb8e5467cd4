import Signal

/// Bins of one row back to samples, frames overlapping.
struct StemSynthesis: ~Copyable {
    private let window: Row<Float>, sum: PlanarBlock, frame: PlanarBlock
    private let hop: Int, heard: Int

    /// Silence.
    init(_ tuning: AudioMixTuning, window: [Float]) {
        (hop, heard) = (tuning.hop, tuning.heard)
        self.window = Row(heard, 0)
        for i in 0..<heard { self.window.base[i] = window[i] }
        sum = PlanarBlock(channels: 1, frames: heard)
        frame = PlanarBlock(channels: 1, frames: tuning.frame)
    }

    /// Silence again.
    @_noLocks
    func reset() { Samples.clear(sum[0], count: heard) }

    /// Adds a frame, and gives the next hop of samples.
    @_noLocks
    func next(
        _ bins: UnsafePointer<Complex>, _ transform: borrowing FieldTransform, into target: UnsafeMutablePointer<Float>
    ) {
        transform.inverse(bins, into: frame[0])
        let row = sum[0], newest = frame[0] + transform.length - heard
        for i in 0..<heard { row[i] += newest[i] * window.base[i] }
        Samples.copy(row, to: target, count: hop)
        // Rows that overlap are moved forwards in order.
        for i in 0..<heard - hop { row[i] = row[i + hop] }
        Samples.clear(row + heard - hop, count: hop)
    }
}
