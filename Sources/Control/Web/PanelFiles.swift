import CPanel
import NIOHTTP1

/// The panel: a page, its style and its modules, which came into the program when it was compiled. They tell nothing of
/// a session and hold no secret; the page asks for all it shows as any other client of this door does.
enum PanelFiles {
    /// A file as it is answered.
    struct File {
        /// What it is (media type).
        var type: String
        var text: String
    }

    /// What a browser may do with the page: nothing from elsewhere, nothing written into it, in no other page's frame.
    static let policy = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("Referrer-Policy", "no-referrer"),
    ]

    /// The file at a path; nil: there is none. `wantsPage`: whether it is a browser that asks,
    /// which has the page at `/`.
    static func file(at path: String, wantsPage: Bool) -> File? {
        let name = path == "/" && wantsPage ? "index.html" : String(path.dropFirst())
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
