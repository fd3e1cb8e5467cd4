/// Failure of a request of the session manager, for the reply: a code and a text for the user.
package struct NSMFailure: Error, Sendable, Equatable {
    /// Codes of the protocol ("Error Code Definitions").
    package enum Code: Int32, Sendable {
        /// Any other failure, for example if a session could not be written.
        case general = -1
        /// The manager uses another version of the protocol.
        case incompatibleAPI = -2
        /// The manager rejects this client.
        case blacklisted = -3
        /// A client could not be started.
        case launchFailed = -4
        /// A required file is missing.
        case noSuchFile = -5
        /// No session is open that could be saved.
        case noSessionOpen = -6
        /// Unsaved changes would be lost.
        case unsavedChanges = -7
        /// Another request is in progress.
        case notNow = -8
        /// The session at the path cannot be read.
        case badProject = -9
        /// No session could be created at the path.
        case createFailed = -10
    }

    /// Kind of failure.
    package let code: Code
    /// Text of the failure, for the user.
    package let message: String
    /// Whether the session that was open before has been closed.
    package let closedFormer: Bool

    /// Creates a failure with a text for the user.
    package init(_ code: Code, _ message: String, closedFormer: Bool = false) {
        self.code = code
        self.message = message
        self.closedFormer = closedFormer
    }
}
