import Synchronization

/// Where a session's panel is. Any thread.
package final class PanelPlace: Sendable {
    private let url = Mutex<String?>(nil)

    /// The page's address (URL), without the token; nil: there is none.
    package var page: String? { url.withLock { $0 } }

    /// It is served at an address from now on.
    package func open(at page: String) { url.withLock { $0 = page } }
}
