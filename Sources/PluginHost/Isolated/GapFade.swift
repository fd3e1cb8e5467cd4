import Signal

/// Bridges gaps in a sound without a click. At the start of a gap the last sample fades to silence over `frames`; after
/// the gap the sound fades in over as many frames. For the audio thread.
struct GapFade: ~Copyable {
    /// Number of frames of a fade.
    static var frames: Int { @_noLocks get { 64 } }
    /// For each channel the last sample of the output, and the last sample before the gap.
    private let last: UnsafeMutablePointer<Float>
    private let held: UnsafeMutablePointer<Float>
    private let channels: Int
    /// Fade-in of the sound after the last gap, and fade-out of the sample before it.
    private var rising = Fade(length: GapFade.frames, isIn: true)
    private var falling = Fade(length: GapFade.frames, isIn: false)
    private var isGap = false

    /// Creates fades for a number of channels, initially silent.
    init(channels: Int) {
        self.channels = channels
        last = .allocate(capacity: max(1, channels))
        held = .allocate(capacity: max(1, channels))
        last.initialize(repeating: 0, count: max(1, channels))
        held.initialize(repeating: 0, count: max(1, channels))
    }

    deinit {
        last.deallocate()
        held.deallocate()
    }

    /// Resets to silence.
    @_noLocks
    mutating func restart() {
        rising.jump(isIn: true)
        falling.jump(isIn: false)
        isGap = false
        for channel in 0..<channels { last[channel] = 0 }
    }

    /// Processes `count` frames (at least one) of all channels in place, from frame `start` of their rows on. The
    /// frames contain sound, or undefined samples if `isGap` is true.
    @_noLocks
    mutating func pass(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int, isGap: Bool
    ) {
        if isGap && !self.isGap {
            for channel in 0..<channels { held[channel] = last[channel] }
            rising.jump(isIn: false)
            falling.jump(isIn: true)
        }
        self.isGap = isGap
        for channel in 0..<channels {
            let row = rows[channel] + start
            if isGap { Samples.clear(row, count: count) }
            shape(row, held[channel], count: count)
            last[channel] = row[count - 1]
        }
        if !isGap { rising.advance(count, comes: true) }
        falling.advance(count, comes: false)
    }

    @_noLocks
    private func shape(_ row: UnsafeMutablePointer<Float>, _ held: Float, count: Int) {
        if !isGap {
            for i in 0..<min(count, rising.length - rising.position) { row[i] *= rising.line(ahead: i, comes: true) }
        }
        for i in 0..<min(count, falling.position) { row[i] += held * falling.line(ahead: i, comes: false) }
    }
}
