/// Why something that the session manager asked for could not be done, as it is told: a code and a text for the user.
package struct NSMFailure: Error, Sendable, Equatable {
    /// The codes of the protocol ("Error Code Definitions").
    package enum Code: Int32, Sendable {
        /// None of the others says it; a session that could not be written among it.
        case general = -1
        /// The manager speaks another version.
        case incompatibleAPI = -2
        /// The manager does not want this client.
        case blacklisted = -3
        /// A client could not be started.
        case launchFailed = -4
        /// A file that is needed is not there.
        case noSuchFile = -5
        /// There is nothing open that could be saved.
        case noSessionOpen = -6
        /// Changes that are not saved would be lost.
        case unsavedChanges = -7
        /// Something else is under way.
        case notNow = -8
        /// What is kept at the path cannot be read.
        case badProject = -9
        /// Nothing could be begun at the path.
        case createFailed = -10
    }

    /// What kind of failure it is.
    package let code: Code
    /// What is wrong, for the user.
    package let message: String
    /// Whether what was open before is closed by now.
    package let closedFormer: Bool

    /// A failure, in words for the user.
    package init(_ code: Code, _ message: String, closedFormer: Bool = false) {
        self.code = code
        self.message = message
        self.closedFormer = closedFormer
    }
}
