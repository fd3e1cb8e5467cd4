import CRealtime
import Signal
import Synchronization

/// A programme that is wholly in memory, on its way to the audio thread: begins at a frame of the server's clock, and again
/// when it ends where that is wished.
///
/// The rows belong to whoever made it and outlive it. `begin` and `loops` are set by any thread.
struct HeldProgramme: ~Copyable {
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let frameCount: Int
    /// Bit 63: playing; bits 0…31: the frame at which it begins.
    let begin = Atomic<UInt64>(0)
    /// Whether it begins again when it ends.
    let loops = Atomic<Bool>(false)

    /// `rows`: of `frameCount` frames, one per channel.
    init(rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        self.rows = rows
        self.frameCount = frameCount
    }

    /// What of a channel falls into a period that begins at a frame of the server's clock (which wraps), silence around it.
    /// Audio thread; total.
    @_noLocks
    func play(_ channel: Int, into row: UnsafeMutablePointer<Float>, frames: Int, firstFrame: UInt32) {
        let asked = begin.load(ordering: .acquiring)
        let position = Int(Int32(bitPattern: firstFrame &- UInt32(truncatingIfNeeded: asked)))
        let isPlaying = asked & (1 << 63) != 0
        let isLooping = loops.load(ordering: .relaxed) && frameCount > 0
        prc_zero(row, frames * 4)
        var from = max(0, -position)
        while isPlaying, from < frames {
            let place = isLooping ? (position + from) % frameCount : position + from
            let count = min(frames - from, frameCount - place)
            guard count > 0 else { break }
            prc_copy(row + from, rows[channel] + place, count * 4)
            from += count
        }
    }
}
