import Signal

/// What a client with outputs plays; its memory lives until the client is closed.
enum PlayedSound: Sendable {
    /// A programme that is wholly in memory.
    case held(ThreadOwned<HeldProgramme>)
    /// What a reader's thread leaves in a queue.
    case queued(ThreadOwned<ProgrammeQueue>)

    /// Plays one period into a row per channel; missing frames are waited for where it is not `live`. Audio thread.
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
