import OSC

/// Announcement of a program to a session manager (API 1.1).
package struct NSMIntroduction: Sendable {
    /// OSC address of the announcement.
    static let address = "/nsm/server/announce"
    /// Capabilities of this client: it reports unsaved changes, switches to another session without a restart, and
    /// sends texts and progress. It has no window, hence no `optional-gui`.
    static let capabilities = ":dirty:switch:message:progress:"
    /// Version of the protocol.
    static let version: (major: Int32, minor: Int32) = (1, 1)

    /// Name of the JACK client where no manager gives another.
    package let application: String
    /// Name with which the program was called, `argv[0]`; the manager starts it again by this name.
    package let executable: String
    /// Process id, to which the manager sends SIGTERM.
    package let process: Int32

    /// Makes an announcement.
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
