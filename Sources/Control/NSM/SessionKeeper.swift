/// What opens and saves sessions where a session manager asks for it.
///
/// One request at a time: the next is made when the last one was answered. What changes a session between two saves is
/// told by `NSMLink.note(isDirty:)`.
package protocol SessionKeeper: Sendable {
    /// Opens the session that is kept at a place, or begins a new one there, and closes what was open before. Only now
    /// may a JACK client be opened. All its ports are there when this returns, since connections are restored next;
    /// where no JACK server runs, it returns as well, and the client is opened when there is one.
    ///
    /// - Parameter progress: may be told how far it is, 0…1.
    /// - Returns: what the manager shows the user, as `opened`.
    func open(_ place: NSMPlace, progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String

    /// Writes the open session to its place.
    ///
    /// - Parameter progress: may be told how far it is, 0…1.
    /// - Returns: what the manager shows the user, as `saved`.
    func save(progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String

    /// All clients of the manager's session are open: what depends on another may look for it.
    func sessionIsLoaded() async
}

/// Where a session is kept, and what it is called.
package struct NSMPlace: Sendable, Equatable {
    /// A path that may not exist yet: the session's folder, or its file where a suffix is put after it. Nothing of the
    /// session is kept elsewhere, and nothing below it carries `clientID`.
    package let path: String
    /// The name of the manager's session, for people.
    package let displayName: String
    /// The JACK client's name; of further clients the beginning, before a `/`.
    package let clientID: String

    /// A place.
    package init(path: String, displayName: String, clientID: String) {
        self.path = path
        self.displayName = displayName
        self.clientID = clientID
    }
}
