import ArgumentParser
import Desk
import Session

/// Command of `ctl` defined by a row of the table: sends its arguments to the session and prints the answer.
struct RowCommand<Place: RowPlace>: AsyncParsableCommand {
    /// The row.
    static var row: Command { Command.typed[Place.value] }

    static var configuration: CommandConfiguration {
        let form = row.form
        // Only the first clause is shown; the help of the arguments covers the others.
        let help = row.sentence.split(separator: "; ")[0] + "."
        let example = (form?.example).map { "Example: proscenium ctl \($0)" }
        return CommandConfiguration(
            commandName: row.typedWords.last, abstract: String(help), usage: usage,
            discussion: [example, form?.remark].compactMap(\.self).joined(separator: "\n\n"))
    }
    /// Usage line of a row with a single number, which the parser would mark as repeatable; nil: the parser's own line.
    private static var usage: String? {
        let isSingle = row.typedArguments.contains { if case .numbers(1) = $0.kind { true } else { false } }
        guard isSingle else { return nil }
        let words = ["proscenium", "ctl"] + row.typedWords
        return (words + [arguments(of: ControlPort.self), RowArguments<Place>.usage]).joined(separator: " ")
    }
    @OptionGroup var port: ControlPort
    @OptionGroup var said: RowArguments<Place>

    func run() async throws {
        let answer = try await port.ask(said.address, said.values, patience: Self.row.patience)
        if let words = StatusText.answer(to: Self.row.id, answer) { print(words) }
    }
}

/// Group of commands of `ctl`, as `record`, identified by its index among the groups of the table.
struct GroupCommand<Place: RowPlace>: ParsableCommand {
    /// The group.
    static var group: Command.Group { Command.Group.all[Place.value] }

    static var configuration: CommandConfiguration {
        let own = ControlCommand.own[group.id] ?? []
        return CommandConfiguration(
            commandName: group.id, abstract: group.help, discussion: group.remark,
            subcommands: own
                + rows(from: FirstRow.self).filter { $0.id == group.id || $0.id.hasPrefix(group.id + "/") }.map(\.type),
            defaultSubcommand: own.first)
    }
}

/// Returns the names and commands of the rows from `place` on, in the table's order.
@_semantics("optimize.sil.specialize.generic.never")
private func rows<Place: RowPlace>(from place: Place.Type) -> [(id: String, type: any ParsableCommand.Type)] {
    guard place.value < Command.typed.count else { return [] }
    return [(Command.typed[place.value].id, RowCommand<Place>.self)] + rows(from: RowAfter<Place>.self)
}

/// Returns the names and commands of the groups from `place` on, in the table's order.
@_semantics("optimize.sil.specialize.generic.never")
private func groups<Place: RowPlace>(from place: Place.Type) -> [(id: String, type: any ParsableCommand.Type)] {
    guard place.value < Command.Group.all.count else { return [] }
    return [(Command.Group.all[place.value].id, GroupCommand<Place>.self)] + groups(from: RowAfter<Place>.self)
}

extension ControlCommand {
    /// Commands of `ctl` from the table, in the table's order: each group at the place of its first command, and single
    /// commands.
    static let ofTable: [any ParsableCommand.Type] = {
        var grouped = Dictionary(uniqueKeysWithValues: groups(from: FirstRow.self).map { ($0.id, $0.type) })
        let names = Array(grouped.keys)
        return rows(from: FirstRow.self).compactMap { id, type in
            let first = String(id.prefix { $0 != "/" })
            return names.contains(first) ? grouped.removeValue(forKey: first) : type
        }
    }()

    /// Commands that a group has in addition to the table's rows; the first one is the group's default.
    static let own: [String: [any ParsableCommand.Type]] = ["plugin": [PluginList.self]]
}
