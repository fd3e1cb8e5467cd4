import Desk
import Gate
import Session

/// The man page: what is written by hand, with the tables of parameters and commands in their places.
enum ManualPage {
    /// What `--generate-manual FILE` prints: the page in FILE, where a line `.\" @parameters` or `.\" @commands` stands
    /// for that table; nil where that is not what was asked.
    static func asked(by arguments: [String]) throws -> String? {
        guard arguments.count == 2, arguments[0] == "--generate-manual" else { return nil }
        guard let bytes = try? BoundedFile.bytes(of: arguments[1], most: 1 << 20),
            let page = String(validating: bytes, as: UTF8.self)
        else { throw Failure(.input, "\(arguments[1]) cannot be read as text in UTF-8 of a megabyte at most") }
        return ManualTables.all.reduce(page) { page, table in
            page.replacing(".\\\" @\(table.key)", with: table.value)
        }
    }
}
