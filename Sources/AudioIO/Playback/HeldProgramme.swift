import CRealtime
import Signal
import Synchronization

/// A programme in memory, read by the audio thread: starts at a frame of the server's clock, and repeats if so set.
///
/// `begin` and `loops` may be set by any thread.
struct HeldProgramme: ~Copyable {
    private let samples: PlanarBlock
    private let frameCount: Int
    /// Bit 63: playing; bits 0…31: the first frame.
    let begin = Atomic<UInt64>(0)
    /// Whether the programme repeats.
    let loops = Atomic<Bool>(false)

    /// Takes the first `frameCount` frames of a block.
    init(_ samples: consuming PlanarBlock, frameCount: Int) {
        self.samples = samples
        self.frameCount = frameCount
    }

    /// Writes the part of each channel that falls into a period, with silence around it; the period starts at a frame
    /// of the server's wrapping clock. Audio thread; never fails.
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
