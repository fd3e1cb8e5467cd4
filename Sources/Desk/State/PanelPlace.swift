import Synchronization

/// Address of a session's panel. May be used on any thread.
package final class PanelPlace: Sendable {
    private let url = Mutex<String?>(nil)

    /// URL of the page, without the token; nil without a panel.
    package var page: String? { url.withLock { $0 } }

    /// Sets the URL at which the panel is served.
    package func open(at page: String) { url.withLock { $0 = page } }
}
