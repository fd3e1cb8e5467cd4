/// Opener and saver of sessions on request of a session manager.
///
/// One request at a time: the next follows the answer to the last. The keeper reports changes between two saves with
/// `NSMLink.note(isDirty:)`.
package protocol SessionKeeper: Sendable {
    /// Opens the session at a place, or creates one there, and closes the former session. Only now may a JACK client be
    /// opened. All its ports exist when this returns, since connections are restored next. Where no JACK server runs,
    /// it returns as well, and the client opens once there is a server.
    ///
    /// - Parameter progress: may be called with the share that is done, 0…1.
    /// - Returns: text that the manager shows the user, as `opened`.
    func open(_ place: NSMPlace, progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String

    /// Writes the open session to its place.
    ///
    /// - Parameter progress: may be called with the share that is done, 0…1.
    /// - Returns: text that the manager shows the user, as `saved`.
    func save(progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String

    /// Notes that all clients of the manager's session are open, so that their ports may be looked up.
    func sessionIsLoaded() async
}

/// Place and name of a session.
package struct NSMPlace: Sendable, Equatable {
    /// Path that may not exist yet: the session's folder, or with a suffix its file. The session has no other files,
    /// and no name below the path contains `clientID`.
    package let path: String
    /// Name of the manager's session, for the user.
    package let displayName: String
    /// Name of the JACK client; further clients append `/` and more to it.
    package let clientID: String

    /// Makes a place.
    package init(path: String, displayName: String, clientID: String) {
        self.path = path
        self.displayName = displayName
        self.clientID = clientID
    }
}
