/// Interface for opening and saving sessions on request of a session manager.
///
/// There is one request at a time; the next one follows the reply to the previous one. Changes between two saves must
/// be reported with `NSMLink.note(isDirty:)`.
package protocol SessionKeeper: Sendable {
    /// Opens the session at a place, or creates one there, and closes the former session. No JACK client may be opened
    /// before the first call. All ports of the client must exist on return, because connections are restored next. If
    /// no JACK server is running, the function also returns, and the client is opened when there is a server.
    ///
    /// - Parameter progress: may be called with the finished proportion, 0…1.
    /// - Returns: text that the manager displays, for example `opened`.
    func open(_ place: NSMPlace, progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String

    /// Writes the open session to its place.
    ///
    /// - Parameter progress: may be called with the finished proportion, 0…1.
    /// - Returns: text that the manager displays, for example `saved`.
    func save(progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String

    /// Called when all clients of the manager's session are open, so that their ports can be looked up.
    func sessionIsLoaded() async
}

/// Place and name of a session.
package struct NSMPlace: Sendable, Equatable {
    /// Path of the session. The program may create a folder at this path, or a file at this path with a suffix; neither
    /// need exist yet. The session must have no other files, and no file name in the folder may contain `clientID`.
    package let path: String
    /// Name of the manager's session, for the user.
    package let displayName: String
    /// Name of the JACK client. Further clients append `/` and a suffix to it.
    package let clientID: String

    /// Creates a place.
    package init(path: String, displayName: String, clientID: String) {
        self.path = path
        self.displayName = displayName
        self.clientID = clientID
    }
}
