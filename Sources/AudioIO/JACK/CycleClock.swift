/// Follows the server's frame clock from cycle to cycle: whether sound is missing between two, and how much the server
/// skipped.
///
/// A server that changes its period stops and starts anew, and its clock runs on meanwhile: that is a gap in the sound,
/// but nothing that was skipped. A pure value; the audio thread's.
struct CycleClock {
    private var expected: UInt32?
    private var period = 0
    /// Frames the server skipped before the newest cycle.
    private(set) var skipped = 0

    /// A cycle of `frames` begins at `firstFrame` of the clock, which wraps; true where it does not follow the one
    /// before.
    @_noLocks
    mutating func begin(at firstFrame: UInt32, frames: Int) -> Bool {
        let ahead = if let expected { Int(Int32(bitPattern: firstFrame &- expected)) } else { 0 }
        skipped = frames == period ? max(0, ahead) : 0
        expected = firstFrame &+ UInt32(truncatingIfNeeded: frames)
        period = frames
        return ahead != 0
    }
}
