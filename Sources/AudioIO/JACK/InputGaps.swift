import Signal

/// Finds periods that a late player left empty: whole periods of exact silence in all inputs, before which the sound
/// broke off and after which it begins at once. A pause of the programme itself does neither but by accident, as sound
/// fades out and in between the periods' edges. With two players at once, a gap of one is covered by the other.
///
/// A pure value, used by the audio thread.
struct InputGaps {
    /// Frames at a period's edge of which one must not be 0 where sound breaks off, or begins at once.
    private static var edge: Int { @_noLocks get { 8 } }
    /// Longest gap, frames: longer silence is a player that was stopped.
    private static var longest: Int { @_noLocks get { 16_384 } }

    /// Whether the last period ended in sound.
    private var sounds = false
    /// Frames of silence since sound broke off; 0 without a break.
    private var silent = 0

    /// Registers a period of `count` inputs. Returns the frames of the gap that it ends; 0 without one.
    ///
    /// Cost: a few reads where there is sound, one pass over the inputs in silence.
    @_noLocks
    mutating func look(_ rows: UnsafeMutablePointer<UnsafePointer<Float>>, count: Int, frames: Int) -> Int {
        let edge = min(InputGaps.edge, frames)
        let begins = InputGaps.isHeard(rows, count, 0, edge)
        let ends = InputGaps.isHeard(rows, count, frames - edge, frames)
        if !begins, !ends, !InputGaps.isHeard(rows, count, edge, frames - edge) {
            if sounds || silent > 0 { silent += frames }
            if silent > InputGaps.longest { silent = 0 }
            sounds = false
            return 0
        }
        let gap = begins ? silent : 0
        (silent, sounds) = (0, ends)
        return gap
    }

    /// Whether an input has a sample other than 0 in `from..<to`.
    @_noLocks
    private static func isHeard(
        _ rows: UnsafeMutablePointer<UnsafePointer<Float>>, _ count: Int, _ from: Int, _ to: Int
    ) -> Bool {
        for row in 0..<count {
            let samples = rows[row]
            var frame = from
            while frame < to {
                if samples[frame] != 0 { return true }
                frame += 1
            }
        }
        return false
    }
}
