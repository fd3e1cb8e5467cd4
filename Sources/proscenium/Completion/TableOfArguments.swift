import ArgumentParser
import Foundation

/// Arguments of a command as the parser describes them.
struct TableOfArguments {
    /// One option, flag or argument in its place.
    struct Row: Decodable {
        struct Name: Decodable { let kind: String, name: String }
        struct Values: Decodable { let values: [String] }
        struct Files: Decodable { let extensions: [String] }
        struct Nothing: Decodable {}
        struct Completion: Decodable {
            let list: Values?, file: Files?, directory: Nothing?, custom: Nothing?
        }
        let kind: String
        let shouldDisplay: Bool, isRepeating: Bool
        let names: [Name]?
        let abstract: String?
        let completionKind: Completion?

        /// The names as typed, the long one first.
        var typedNames: [String] {
            (names ?? []).sorted { $0.kind == "long" && $1.kind != "long" }.map {
                ($0.kind == "long" ? "--" : "-") + $0.name
            }
        }
        /// Whether a value follows.
        var takesValue: Bool { kind == "option" }
    }

    /// All options and flags, without hidden ones.
    let options: [Row]
    /// Arguments in their places, in order.
    let places: [Row]

    /// Reads the description of a command; empty for one that only has subcommands, whose description is that of all.
    init(_ type: any ParsableCommand.Type) {
        struct Command: Decodable { let arguments: [Row]? }
        struct Tool: Decodable { let command: Command }
        let rows =
            type.configuration.subcommands.isEmpty
            ? (try? JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)).command.arguments) ?? [] : []
        options = rows.filter { $0.kind != "positional" && $0.shouldDisplay }
        places = rows.filter { $0.kind == "positional" }
    }

    /// Returns the option of a name with its dashes.
    func option(_ name: String) -> Row? { options.first { $0.typedNames.contains(name) } }

    /// Returns the argument at a place; the last one may repeat.
    func place(_ index: Int) -> (index: Int, row: Row)? {
        if index < places.count { return (index, places[index]) }
        guard let last = places.last, last.isRepeating else { return nil }
        return (places.count - 1, last)
    }
}
