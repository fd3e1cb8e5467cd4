import ArgumentParser
import Foundation
import Testing

@testable import proscenium

/// The table that completion reads agrees with the parser. `make reference` writes it.
@Suite struct ArgumentsReferenceTests {
    /// Fields of the parser's list of commands that the table contains.
    private struct Tool: Decodable { let command: Command }
    private struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?
    }
    private struct Argument: Decodable {
        struct Name: Decodable { let kind: String, name: String }
        struct Words: Decodable { let values: [String] }
        struct Files: Decodable { let extensions: [String] }
        struct Nothing: Decodable {}
        struct Completion: Decodable {
            let list: Words?, file: Files?, directory: Nothing?, custom: Nothing?
        }

        let kind: String
        let shouldDisplay: Bool, isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let completionKind: Completion?
    }

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CWords/arguments.txt")
    private static let note = "'make reference' writes it, and the program is then built anew"

    /// Returns the table, each command followed by its own commands.
    private static func table() throws -> String {
        func row(_ argument: Argument) -> String {
            let isPlace = argument.kind == "positional"
            let names = (argument.names ?? []).sorted { $0.kind == "long" && $1.kind != "long" }.map {
                ($0.kind == "long" ? "--" : "-") + $0.name
            }
            var values = ""
            if let kind = argument.completionKind {
                if let list = kind.list { values = (["words"] + list.values).joined(separator: " ") }
                if let file = kind.file { values = (["files"] + file.extensions).joined(separator: " ") }
                if kind.directory != nil { values = "folders" }
                if kind.custom != nil { values = "own" }
            }
            return [
                isPlace ? argument.valueName ?? "" : names.joined(separator: " "),
                (isPlace ? "place" : argument.kind) + (argument.isRepeating ? "..." : ""), values,
                OfferedWords.sentence(argument.abstract ?? ""),
            ].joined(separator: "\t")
        }
        func lines(_ command: Command, _ path: [String]) -> [String] {
            let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
            // The parser lists `--version` for every command. Completion offers it for the program only.
            let shown = (command.arguments ?? []).filter { argument in
                argument.kind == "positional"
                    || argument.shouldDisplay && argument.names?.contains { $0.name == "version" } != true
            }
            let own = below.isEmpty ? ["[\(path.joined(separator: " "))]"] + shown.map(row) : []
            return own + below.flatMap { lines($0, path + [$0.commandName]) }
        }
        let tool = try JSONDecoder().decode(Tool.self, from: Data(Proscenium._dumpHelp().utf8))
        let head = "The arguments of all commands, for completion in shells, as the parser lists them."
        return ([head] + lines(tool.command, [])).joined(separator: "\n") + "\n"
    }

    @Test func `The table holds the arguments that the parser lists`() throws {
        let table = try Self.table()
        if ProcessInfo.processInfo.environment["PROSCENIUM_REFERENCE"] == "1" {
            try table.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(text == table, "Sources/CWords/arguments.txt is not the parser's table; \(Self.note)")
        #expect(
            table.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("[") || $0.count(where: \.isTab) == 3 })
    }

    @Test func `The program holds the table`() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(TableOfArguments.text == text, "The program holds an older Sources/CWords/arguments.txt; \(Self.note)")
    }

    /// The parser's description of the commands is not part of its interface, and may change with any version.
    @Test func `The program itself does without the parser's description`() throws {
        let sources = Self.file.deletingLastPathComponent().deletingLastPathComponent().appending(path: "proscenium")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("dumpHelp"), "\(file.path)")
        }
        #expect(count > 100)
    }

    @Test func `Values that contain a space are in no list of words`() throws {
        func all(_ command: Command) -> [Argument] {
            (command.arguments ?? []) + (command.subcommands ?? []).flatMap(all)
        }
        let tool = try JSONDecoder().decode(Tool.self, from: Data(Proscenium._dumpHelp().utf8))
        let words = all(tool.command).flatMap {
            ($0.completionKind?.list?.values ?? []) + ($0.completionKind?.file?.extensions ?? [])
        }
        #expect(words.count > 100)
        #expect(!words.contains { $0.contains { $0.isWhitespace } || $0.isEmpty })
    }
}

extension Character {
    fileprivate var isTab: Bool { self == "\t" }
}
