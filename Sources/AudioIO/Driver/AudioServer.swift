/// Where clients are opened: the JACK server of this machine, or one in memory.
package protocol AudioServer: Sendable {
    /// Opens what drives a stage; no port is registered yet.
    func openStage(name: String) throws(JACKError) -> any StageDriver
    /// Opens files with as many channels each, and a client that plays them: silence until `play`, then from `seconds`
    /// into the file at `firstFile` on.
    ///
    /// - Throws: `SoundFileError` or `JACKError`.
    func openPlayer(
        _ entries: [PlaylistEntry], name: String, firstFile: Int, seconds: Double
    ) throws -> FilePlayer
}

/// The JACK (or PipeWire) server of this machine.
package struct JACKServer: AudioServer {
    /// The server that libjack finds.
    package init() {}

    /// A client of that server.
    package func openStage(name: String) throws(JACKError) -> any StageDriver { try JACKClient(name: name) }

    /// Another client of it.
    package func openPlayer(
        _ entries: [PlaylistEntry], name: String, firstFile: Int, seconds: Double
    ) throws -> FilePlayer {
        try FilePlayer(
            entries, firstFile: firstFile, seconds: seconds, through: try JACKOutputs(name: name))
    }
}

extension JACKClient: StageDriver {
    /// Records in 32-bit float, in a FLAC file in 24 bits.
    package func record(to path: String, waitsForStart: Bool, replaces: Bool) throws(SoundFileError) {
        try record(to: path, encoding: nil, waitsForStart: waitsForStart, replaces: replaces)
    }
}
