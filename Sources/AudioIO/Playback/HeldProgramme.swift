import CRealtime
import Signal
import Synchronization

/// Programme in memory that the audio thread reads. It starts at a frame of the server's clock, and may repeat.
///
/// Any thread may set `begin` and `loops`.
struct HeldProgramme: ~Copyable {
    private let samples: PlanarBlock
    private let frameCount: Int
    /// Bit 63: whether the programme plays. Bits 0…31: frame of the server's clock at which it starts.
    let begin = Atomic<UInt64>(0)
    /// Whether the programme repeats.
    let loops = Atomic<Bool>(false)

    /// Makes a programme of the first `frameCount` frames of a block.
    init(_ samples: consuming PlanarBlock, frameCount: Int) {
        self.samples = samples
        self.frameCount = frameCount
    }

    /// Writes the part of each channel that falls into a period, and silence before and after the programme. The period
    /// starts at a frame of the server's wrapping clock. Called on the audio thread; cannot fail.
    @_noLocks
    func play(into rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, firstFrame: UInt32) {
        let asked = begin.load(ordering: .acquiring)
        let position = Int(Int32(bitPattern: firstFrame &- UInt32(truncatingIfNeeded: asked)))
        let isPlaying = asked & (1 << 63) != 0
        let isLooping = loops.load(ordering: .relaxed) && frameCount > 0
        for channel in 0..<samples.channelCount { prc_zero(rows[channel], frames * 4) }
        var from = max(0, -position)
        while isPlaying, from < frames {
            let place = isLooping ? (position + from) % frameCount : position + from
            let count = min(frames - from, frameCount - place)
            guard count > 0 else { break }
            for channel in 0..<samples.channelCount {
                prc_copy(rows[channel] + from, samples[channel] + place, count * 4)
            }
            from += count
        }
    }
}
