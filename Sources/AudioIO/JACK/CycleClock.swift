/// Follows the server's frame clock from cycle to cycle: detects gaps, and counts the frames that the server skipped.
///
/// A server that changes its period stops and restarts, while its clock runs on: that is a gap in the sound, but no
/// skipped frames. A pure value, used by the audio thread.
struct CycleClock {
    private var expected: UInt32?
    private var period = 0
    /// Frames the server skipped before the newest cycle.
    private(set) var skipped = 0

    /// Registers a cycle of `frames` that begins at `firstFrame` of the wrapping clock. Returns whether it does not
    /// follow the last one directly.
    @_noLocks
    mutating func begin(at firstFrame: UInt32, frames: Int) -> Bool {
        let ahead = if let expected { Int(Int32(bitPattern: firstFrame &- expected)) } else { 0 }
        skipped = frames == period ? max(0, ahead) : 0
        expected = firstFrame &+ UInt32(truncatingIfNeeded: frames)
        period = frames
        return ahead != 0
    }
}
