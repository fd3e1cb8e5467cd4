import Signal

/// Sound of a client with outputs. Its memory must exist until the client is closed.
enum PlayedSound: Sendable {
    /// A programme in memory.
    case held(ThreadOwned<HeldProgramme>)
    /// A queue that a reader's thread fills.
    case queued(ThreadOwned<ProgrammeQueue>)

    /// Plays one period into a row per channel. Unless `live`, the call waits for missing frames. Called on the audio
    /// thread.
    @_noLocks
    func play(
        into rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, firstFrame: UInt32, live: Bool
    ) {
        switch self {
        case .held(let programme): programme.pointee.play(into: rows, frames: frames, firstFrame: firstFrame)
        case .queued(let queue):
            queue.pointee.play(into: rows, frames: frames, firstFrame: firstFrame, live: live)
        }
    }
}
