import Desk
import Gate
import Session

/// The man page: a page written by hand, with the tables of parameters and commands inserted.
enum ManualPage {
    /// Returns the output of `--generate-manual FILE`; nil for other arguments. The output is the page in FILE; a line
    /// `.\" @parameters` or `.\" @commands` is replaced by that table.
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
