/// Server on which clients are opened: the JACK server of this machine, or one in memory.
package protocol AudioServer: Sendable {
    /// Opens the client of a stage (a rendering of virtual loudspeakers). The client has no ports yet.
    func openStage(name: String) throws(JACKError) -> any StageDriver
    /// Opens files with equal numbers of channels, and a client that plays them. The client is silent until `play`.
    /// Playback begins in the file with the index `firstFile`, `seconds` seconds after the start of this file.
    ///
    /// - Throws: `SoundFileError` or `JACKError`.
    func openPlayer(
        _ entries: [PlaylistEntry], name: String, firstFile: Int, seconds: Double
    ) throws -> FilePlayer
}

/// The JACK (or PipeWire) server of this machine.
package struct JACKServer: AudioServer {
    /// Uses the server that libjack finds.
    package init() {}

    /// Opens a client of that server.
    package func openStage(name: String) throws(JACKError) -> any StageDriver { try JACKClient(name: name) }

    /// Opens a playing client of that server.
    package func openPlayer(
        _ entries: [PlaylistEntry], name: String, firstFile: Int, seconds: Double
    ) throws -> FilePlayer {
        try FilePlayer(
            entries, firstFile: firstFile, seconds: seconds, through: try JACKOutputs(name: name))
    }
}

extension JACKClient: StageDriver {
    /// Records in 32-bit float, or in 24 bits if the file is FLAC.
    package func record(to path: String, waitsForStart: Bool, replaces: Bool) throws(SoundFileError) {
        try record(to: path, encoding: nil, waitsForStart: waitsForStart, replaces: replaces)
    }
}
