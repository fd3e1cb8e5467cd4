import Signal

/// Detects periods that a late player left empty. Such periods are exactly silent in all inputs; the sound breaks off
/// before them and begins abruptly after them. A pause of the programme rarely does both, because sound usually fades
/// out and in. If two players play, a gap of one of them is not detected.
///
/// It is a value without references, used by the audio thread.
struct InputGaps {
    /// Number of frames examined at a period's start and end. If one of them is not 0, sound begins or breaks off
    /// abruptly.
    private static var edge: Int { @_noLocks get { 8 } }
    /// Longest gap, frames. Longer silence means that the player was stopped.
    private static var longest: Int { @_noLocks get { 16_384 } }

    /// Whether the last period ended in sound.
    private var sounds = false
    /// Frames of silence since the sound broke off; 0 if it did not break off.
    private var silent = 0

    /// Registers a period of `count` inputs. Returns the length of the gap that ends with this period, frames; 0
    /// without a gap.
    ///
    /// Cost: some reads while there is sound and in a long silence; one pass over the inputs in a gap.
    @_noLocks
    mutating func look(_ rows: UnsafeMutablePointer<UnsafePointer<Float>>, count: Int, frames: Int) -> Int {
        let edge = min(InputGaps.edge, frames)
        let begins = InputGaps.isHeard(rows, count, 0, edge)
        let ends = InputGaps.isHeard(rows, count, frames - edge, frames)
        if !begins, !ends {
            // In a long silence nothing has broken off, and the rest of the period does not matter.
            guard sounds || silent > 0 else { return 0 }
            if !InputGaps.isHeard(rows, count, edge, frames - edge) {
                silent += frames
                if silent > InputGaps.longest { silent = 0 }
                sounds = false
                return 0
            }
        }
        let gap = begins ? silent : 0
        (silent, sounds) = (0, ends)
        return gap
    }

    /// Returns whether any input has a sample other than 0 in the frames `from..<to`.
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
