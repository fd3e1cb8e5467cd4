/// Events of a running client.
package enum JACKEvent: Equatable, Sendable {
    /// The period has changed to this number of frames.
    case periodChanged(frames: Int)
    /// The period exceeds `limit`, the longest that can be rendered. The output is silent until the period is shorter.
    case periodTooLong(frames: Int, limit: Int)
    /// The server's sample rate has changed to this value, Hz. The output is silent until the former rate returns or
    /// the client is replaced.
    case rateChanged(hertz: Double)
    /// Cycles were lost. The payload has the total since activation, and the last delay that the server reported.
    case xrun(total: Int, delayMicroseconds: Double)
    /// Freewheel begins or ends.
    case freewheel(Bool)
    /// Connections of the client's ports were made or removed. `StageDriver.links` has the present ones.
    case connectionsChanged
    /// An output lost these links: its last connection, or its last connection to a sound card. The output is already
    /// muted if the client was activated with `mutesOnRouteLoss`.
    case routeLost([JACKLink])
    /// The server is gone, or cycles stopped for too long. The client must be closed.
    case serverLost(reason: String)
    /// The recording ended early. Its file is complete up to that point, and playback continues.
    case recordingFailed(SoundFileError)
    /// Frames that the recording has lost since its beginning.
    case recordingOverflow(droppedFrames: Int)
}
