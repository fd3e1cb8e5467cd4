import CPanel
import NIOHTTP1

/// Page that the web interface serves at its root.
package enum PanelPage: String, Sendable {
    /// The control panel of a session.
    case session = "index.html"
    /// The measurement of a person or of headphones: its plan, what the person is asked for, and its commands.
    case measurement = "measure.html"
}

/// Files of the control panel, compiled into the program: its pages, their styles and modules. They contain no data of
/// a session and no secret. A page requests its data like any other client of the web server.
enum PanelFiles {
    /// A file as an HTTP reply.
    struct File {
        /// Media type.
        var type: String
        var text: String
    }

    /// Restrictions for the page in a browser: no external resources, no inline scripts, no embedding in other pages,
    /// and no referrer.
    static let policy = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("Referrer-Policy", "no-referrer"),
    ]

    /// Returns the file at a path; nil if there is none. `wantsPage`: whether the client is a browser, which receives
    /// `page` at `/`.
    static func file(at path: String, wantsPage: Bool, of page: PanelPage) -> File? {
        let name = path == "/" && wantsPage ? page.rawValue : String(path.dropFirst())
        var number = 0
        while let file = panel_file(number) {
            if String(cString: file.pointee.name) == name {
                let bytes = UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count)
                return File(type: String(cString: file.pointee.type), text: String(decoding: bytes, as: UTF8.self))
            }
            number += 1
        }
        return nil
    }
}
