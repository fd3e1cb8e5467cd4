import ArgumentParser
import Desk
import Foundation
import Testing

@testable import proscenium

/// The options that files may set are those of the parser.
@Suite struct KnownOptionTests {
    /// Fields of the parser's description of a command that these tests need.
    private struct Help: Decodable {
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            struct Name: Decodable { let kind: String, name: String }

            let kind: String
            let names: [Name]?
            let isRepeating: Bool?
            let sectionTitle: String?
            let shouldDisplay: Bool
        }

        let command: Command
    }

    @Test(arguments: KnownOption.commands.keys.sorted())
    func `A command's options are those that the parser lists`(_ command: String) throws {
        let type: any ParsableArguments.Type =
            try command == "ctl" ? ControlPort.self : #require(KnownOption.commands[command])
        let help = try JSONDecoder().decode(Help.self, from: Data(type._dumpHelp().utf8))
        let listed = (help.command.arguments ?? []).flatMap { argument in
            (argument.names ?? []).filter { $0.kind == "long" && !["help", "version"].contains($0.name) }.map {
                "\($0.name) \(argument.kind == "flag") \(argument.isRepeating ?? false)"
            }
        }
        let found = KnownOption.all(of: type).map { "\($0.name) \($0.isFlag) \($0.isRepeating)" }
        #expect(found.sorted() == listed.sorted())
    }

    @Test func `Help of run lists its options by topic`() throws {
        let help = try JSONDecoder().decode(Help.self, from: Data(RunCommand._dumpHelp().utf8))
        let arguments = help.command.arguments ?? []
        let without = arguments.filter { $0.sectionTitle == nil && $0.shouldDisplay }.compactMap { argument in
            argument.names?.first { $0.kind == "long" }?.name
        }
        #expect(without == ["overwrite", "quiet", "help"])
        let topics = Dictionary(grouping: arguments.filter { $0.sectionTitle != nil }) { $0.sectionTitle }
        #expect(topics.count >= 12)
        #expect(topics.values.allSatisfy { $0.count <= 16 })
    }
}
