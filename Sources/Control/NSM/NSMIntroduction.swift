import OSC

/// How a program announces itself to a session manager (API 1.1).
package struct NSMIntroduction: Sendable {
    /// Where a client announces itself.
    static let address = "/nsm/server/announce"
    /// What this client can do: it knows whether there is anything to save, opens another session without being started
    /// anew, and tells texts and how far it is. It has no window, and so no `optional-gui`.
    static let capabilities = ":dirty:switch:message:progress:"
    /// The version of the protocol.
    static let version: (major: Int32, minor: Int32) = (1, 1)

    /// The name that the JACK client has where no manager gives another.
    package let application: String
    /// How the program was called, `argv[0]`: by this the manager starts it again.
    package let executable: String
    /// The process, which the manager ends by SIGTERM.
    package let process: Int32

    /// An introduction.
    package init(application: String, executable: String, process: Int32) {
        self.application = application
        self.executable = executable
        self.process = process
    }

    /// The announcement.
    var message: OSCMessage {
        OSCMessage(
            Self.address,
            [
                .string(application), .string(Self.capabilities), .string(executable),
                .int32(Self.version.major), .int32(Self.version.minor), .int32(process),
            ])
    }
}
