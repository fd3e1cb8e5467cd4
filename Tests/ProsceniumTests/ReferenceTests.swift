import Desk
import Foundation
import Session
import Stages
import Testing

/// The reference pages agree with the tables. `make reference` writes them.
@Suite struct ReferenceTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation")

    @Test(arguments: [
        ("reference/parameters.md", Parameter.page), ("reference/commands.md", Command.page),
        ("reference/control.md", TelemetryField.page),
    ])
    func `A page holds its table`(_ name: String, _ table: String) throws {
        let file = Self.folder.appending(path: name)
        var text = try String(contentsOf: file, encoding: .utf8)
        if ProcessInfo.processInfo.environment["PROSCENIUM_REFERENCE"] == "1" {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let rows = table.split(separator: "\n")
            let start = try #require(lines.firstIndex(of: rows[0]), "the page lacks the table's first line: \(rows[0])")
            let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
            text = (lines[..<start] + rows + lines[end...]).joined(separator: "\n")
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text.contains(table), "Documentation/\(name) is not the table; 'make reference' writes it")
    }
}
