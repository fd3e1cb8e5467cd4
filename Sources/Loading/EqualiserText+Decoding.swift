import Foundation
import Headphones

extension EqualiserText {
    /// Decodes the bytes of a file: UTF-16 if they begin with its byte order mark (as from Windows editors), otherwise
    /// UTF-8, or Latin-1 if they are not valid UTF-8. Returns nil for invalid UTF-16.
    package static func decoded(_ bytes: Data) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: bytes, encoding: .utf16)
        }
        return String(data: bytes, encoding: .utf8) ?? String(data: bytes, encoding: .isoLatin1)
    }
}
