import Signal

/// Sound of a client with outputs; its memory lives until the client is closed.
enum PlayedSound: Sendable {
    /// A programme in memory.
    case held(ThreadOwned<HeldProgramme>)
    /// A queue filled by a reader's thread.
    case queued(ThreadOwned<ProgrammeQueue>)

    /// Plays one period into a row per channel; unless `live`, waits for missing frames. Audio thread.
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
