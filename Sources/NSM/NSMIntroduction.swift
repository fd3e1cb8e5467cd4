import OSC

/// Announcement of a program to a session manager (API 1.1).
package struct NSMIntroduction: Sendable {
    /// OSC address of the announcement.
    static let address = "/nsm/server/announce"
    /// Capabilities of this client. The client reports unsaved changes, can open another session without a restart, and
    /// sends texts and progress. It has no window, and therefore no `optional-gui`.
    static let capabilities = ":dirty:switch:message:progress:"
    /// Version of the protocol.
    static let version: (major: Int32, minor: Int32) = (1, 1)

    /// Name of the JACK client unless a manager assigns another one.
    package let application: String
    /// Name with which the program was called, `argv[0]`. The manager uses this name to start it again.
    package let executable: String
    /// Process id to which the manager sends SIGTERM.
    package let process: Int32

    /// Creates an announcement.
    package init(application: String, executable: String, process: Int32) {
        self.application = application
        self.executable = executable
        self.process = process
    }

    /// Announcement as an OSC message.
    var message: OSCMessage {
        OSCMessage(
            Self.address,
            [
                .string(application), .string(Self.capabilities), .string(executable),
                .int32(Self.version.major), .int32(Self.version.minor), .int32(process),
            ])
    }
}
