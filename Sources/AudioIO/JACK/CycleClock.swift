/// Follows the server's frame clock from cycle to cycle. It detects gaps and counts the frames that the server skipped.
///
/// A server that changes its period stops and restarts while its clock continues. That is a gap in the sound, but no
/// frames are skipped. This clock is a value without references, used by the audio thread.
struct CycleClock {
    /// Expected frame of the next cycle's start; nil before the first cycle.
    private var expected: UInt32?
    /// Frames of the last cycle.
    private var period = 0
    /// Number of frames that the server skipped before the newest cycle.
    private(set) var skipped = 0

    /// Registers a cycle of `frames` frames that begins at `firstFrame` of the wrapping clock. Returns whether there is
    /// a gap before the cycle.
    @_noLocks
    mutating func begin(at firstFrame: UInt32, frames: Int) -> Bool {
        let ahead = if let expected { Int(Int32(bitPattern: firstFrame &- expected)) } else { 0 }
        skipped = frames == period ? max(0, ahead) : 0
        expected = firstFrame &+ UInt32(truncatingIfNeeded: frames)
        period = frames
        return ahead != 0
    }
}
