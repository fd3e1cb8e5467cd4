/// What happens to a running client.
package enum JACKEvent: Equatable, Sendable {
    /// The period is now this many frames.
    case periodChanged(frames: Int)
    /// The period is longer than the graph takes: silence until it is shorter.
    case periodTooLong(frames: Int, limit: Int)
    /// The server's rate is now this many hertz: silence until the client is opened anew.
    case rateChanged(hertz: Double)
    /// Cycles were lost; total since activation, and the last delay as the server says it.
    case xrun(total: Int, delayMicroseconds: Double)
    /// Freewheel begins or ends.
    case freewheel(Bool)
    /// Connections of our ports were made or undone; `connections` says which there are.
    case connectionsChanged
    /// An ear's last connection, or its last one to a sound card, went: these. Muted already where that was asked for.
    case routeLost([JACKLink])
    /// The server is gone, or no cycle came for too long; the client must be closed.
    case serverLost(reason: String)
    /// The recording ended early; its file is complete as far as it goes, and what plays plays on.
    case recordingFailed(SoundFileError)
    /// Frames lost to the recording since its beginning.
    case recordingOverflow(droppedFrames: Int)
}
