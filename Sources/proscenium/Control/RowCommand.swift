import ArgumentParser
import Session

/// A row of the table of commands, as a type: the parser knows commands by their types.
protocol CommandRow {
    /// The row's name in the table.
    static var id: String { get }
    /// What is printed of an answer; nil: nothing.
    static func words(_ answer: String) -> String?
}

extension CommandRow {
    /// The row.
    static var row: Command {
        guard let row = Command.at(id.replacing("NAME", with: "name"))?.row else {
            preconditionFailure("there is no command '\(id)'")
        }
        return row
    }

    static func words(_ answer: String) -> String? { answer.hasPrefix("done") ? nil : answer }
}

/// A command of `ctl` as its row has it: sends the words to the session as they stand in the row, and prints the answer.
struct RowCommand<Row: CommandRow>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        let (row, form) = (Row.row, Row.row.form)
        // What is said behind the first clause, help says of the arguments.
        let phrase = row.help.split(separator: "; ")[0].replacing("`", with: "'")
        let help = phrase.prefix(1).uppercased() + phrase.dropFirst() + "."
        let example = (form?.example).map { "Example: proscenium ctl \($0)" }
        return CommandConfiguration(
            commandName: row.id.split(separator: "/").last.map(String.init), abstract: help,
            discussion: [example, form?.remark].compactMap(\.self).joined(separator: "\n\n"))
    }
    @OptionGroup var port: ControlPort
    @OptionGroup var said: RowArguments<Row>

    func run() async throws {
        let answer = try await port.ask(said.address, said.values, patience: Row.row.patience)
        if let words = Row.words(answer) { print(words) }
    }
}

/// What is written behind a command of `ctl`, as its row has it.
///
/// The parser finds arguments by looking at a value of this type; `customMirror` shows it one for each of the row's.
struct RowArguments<Row: CommandRow>: ParsableArguments, CustomReflectable {
    private typealias Form = CommandForm.Argument
    private static var plugin: Form { Form("name", .text, "The plugin, by the name that 'ctl plugin list' shows.") }
    private static var isOfPlugin: Bool { Row.id.contains("NAME") }
    private static var forms: [Form] { (isOfPlugin ? [plugin] : []) + (Row.row.form?.arguments ?? []) }

    /// The row's address, and what is said there.
    private(set) var address = Row.id, values: [CommandValue] = []

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ArgumentKey.self)
        func words(_ form: Form) throws -> [String]? {
            let key = ArgumentKey(stringValue: form.name)
            switch form.kind {
            case .text, .word, .path:
                if form.standard == nil {
                    return [try container.decode(Argument<String>.self, forKey: key).wrappedValue]
                }
                return try container.decode(Argument<String?>.self, forKey: key).wrappedValue.map { [$0] }
            case .rest, .numbers:
                let said = try container.decode(Argument<[String]>.self, forKey: key).wrappedValue
                // A "--" before what begins with a minus is not needed, but is what other programs want.
                return said.isEmpty ? nil : said.first == "--" ? Array(said.dropFirst()) : said
            case .option: return try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] }
            case .flag: return try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? [] : nil
            case .choice(let yes, let no):
                return [try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? yes : no]
            }
        }
        var left: [CommandValue] = []
        for form in Self.forms {
            guard let said = try words(form) else {
                // Said only where something stands behind it.
                if let standard = form.standard, !standard.isEmpty { left.append(.text(standard)) }
                continue
            }
            if Self.isOfPlugin, form.name == "name" {
                address = Row.id.replacing("NAME", with: said[0])
                continue
            }
            values += left + (try Self.values(of: said, as: form))
            left = []
            // Alone, 0 and 1 are a button's; a number that is meant goes as a text.
            if case .option = form.kind, values.count == 1, let text = said.first { values = [.text(text)] }
        }
    }

    /// What is sent for words.
    private static func values(of said: [String], as form: Form) throws -> [CommandValue] {
        func number(_ text: String) -> CommandValue { Double(text).map { .number($0) } ?? .text(text) }
        return switch form.kind {
        case .text, .word, .choice: said.map { .text($0) }
        case .path: try said.map { .text(try TypedPath.whole($0)) }
        case .rest: [.text(said.joined(separator: " "))]
        case .numbers: said.map(number)
        case .option(let words, _): words.map { .text($0) } + said.map(number)
        case .flag(let words): words.map { .text($0) }
        }
    }

    func validate() throws {
        switch Command.read(address, values) {
        case .command, .door: return
        // A plugin that cannot be meant is refused in other words.
        case .refused(let reason) where reason != Row.row.refusal(at: address): throw ValidationError(reason)
        case .refused, .nothing, nil:
            let said = values.compactMap(\.written).joined(separator: " ")
            throw ValidationError(Row.row.typedRefusal + (said.isEmpty ? "" : ", not '\(said)'"))
        }
    }

    var customMirror: Mirror { Mirror(self, children: Self.forms.map { (label: $0.name, value: Self.shown($0)) }) }

    private static func shown(_ form: Form) -> Any {
        let value = if case .option(_, let value) = form.kind { value } else { form.name }
        let help = ArgumentHelp(
            "\(form.help)", valueName: value, visibility: form.isHidden ? .hidden : .default)
        func argument(_ completion: CompletionKind?) -> Any {
            form.standard == nil
                ? Argument<String>(help: help, completion: completion)
                : Argument<String?>(help: help, completion: completion)
        }
        switch form.kind {
        case .text: return argument(nil)
        case .word(let words): return argument(.list(words))
        case .path(let isFolder): return argument(isFolder ? .directory : .file())
        case .rest, .numbers:
            let array = Argument<[String]>.self
            return form.standard == nil
                ? array.init(parsing: .allUnrecognized, help: help)
                : array.init(wrappedValue: [], parsing: .allUnrecognized, help: help)
        case .option(let words, _):
            // A level may begin with a minus.
            return Option<String?>(
                name: .customLong(form.name), parsing: words.isEmpty ? .next : .unconditional, help: help)
        case .flag: return Flag<Bool>(wrappedValue: false, name: .customLong(form.name), help: help)
        case .choice:
            return Flag<Bool>(wrappedValue: true, name: .customLong(form.name), inversion: .prefixedNo, help: help)
        }
    }
}

/// A name in a table as the parser's key.
struct ArgumentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
