/// Events of a running client.
package enum JACKEvent: Equatable, Sendable {
    /// The period has changed to this many frames.
    case periodChanged(frames: Int)
    /// The period exceeds the graph's limit: silence until it is shorter.
    case periodTooLong(frames: Int, limit: Int)
    /// The server's rate has changed to this value in Hz: silence until the client is opened anew.
    case rateChanged(hertz: Double)
    /// Cycles were lost: total since activation, and the last delay reported by the server.
    case xrun(total: Int, delayMicroseconds: Double)
    /// Freewheel begins or ends.
    case freewheel(Bool)
    /// Connections of the client's ports were made or removed; `links` has the present ones.
    case connectionsChanged
    /// An output lost its last connection, or its last one to a sound card: these links. It is muted already if so set.
    case routeLost([JACKLink])
    /// The server is gone, or cycles stopped for too long; the client must be closed.
    case serverLost(reason: String)
    /// The recording ended early; its file is complete up to there, and playback goes on.
    case recordingFailed(SoundFileError)
    /// Frames lost to the recording since its beginning.
    case recordingOverflow(droppedFrames: Int)
}
