import ArgumentParser
import Desk
import Gate
import Session

/// Arguments of a command of `ctl`, as its row in the table of commands defines them.
///
/// The parser finds arguments by reflection on a value of this type. `customMirror` therefore has a child for each
/// argument of the row.
struct RowArguments<Place: RowPlace>: ParsableArguments, CustomReflectable {
    private typealias Form = CommandForm.Argument
    private static var plugin: Form { Form("name", .text, "The plugin, by the name that 'ctl plugin list' shows.") }
    private static var row: Command { Command.typed[Place.value] }
    private static var isOfPlugin: Bool { row.id.contains("NAME") }
    private static var forms: [Form] { (isOfPlugin ? [plugin] : []) + row.typedArguments }

    /// Address of the row, with the plugin's name inserted, and values to be sent to this address.
    private(set) var address = Self.row.id, values: [CommandValue] = []
    /// Words typed for each of the row's arguments.
    private var typed: [(form: Form, said: [String])] = []
    /// Error message for an invalid path. The parser cannot print this error if it is thrown during decoding, so
    /// `validate` throws it.
    private var pathFault: String?

    init() {}

    /// Decodes the arguments. Throws only errors of the parser.
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
                // A "--" before a negative number is accepted, since other programs require it.
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
                // A default is sent only if a later argument follows it.
                if let standard = form.standard, !standard.isEmpty { left.append(.text(standard)) }
                continue
            }
            if Self.isOfPlugin, form.name == "name" {
                address = Self.row.id.replacing("NAME", with: said[0])
                continue
            }
            typed.append((form, said))
            values += left + values(of: said, as: form)
            left = []
            // A single number 0 or 1 would be read as a button's state, so an option's single number is sent as text.
            if case .option = form.kind, values.count == 1, let text = said.first { values = [.text(text)] }
        }
    }

    /// Returns the values to be sent for an argument's words.
    private mutating func values(of said: [String], as form: Form) -> [CommandValue] {
        func number(_ text: String) -> CommandValue { Double(text).map { .number($0) } ?? .text(text) }
        return switch form.kind {
        case .text, .word, .choice: said.map { .text($0) }
        case .path: said.map { .text(whole($0, form)) }
        case .rest: [.text(said.joined(separator: " "))]
        case .numbers: said.map(number)
        case .option(let words, _): words.map { .text($0) } + said.map(number)
        case .flag(let words): words.map { .text($0) }
        }
    }

    /// Returns the absolute path: the session may have another working folder. An invalid path sets `pathFault`.
    private mutating func whole(_ said: String, _ form: Form) -> String {
        do throws(PathRefusal) { return try PathText.resolved(said) } catch {
            pathFault = "The value '\(said)' is invalid for '\(form.shownName)': \(error.description)"
            return said
        }
    }

    func validate() throws {
        if let pathFault { throw ValidationError(pathFault) }
        switch Command.read(address, values) {
        case .command, .door: return
        // A reason other than the row's general message is specific, as for an invalid plugin, and is shown unchanged.
        case .refused(let reason) where reason != Self.row.refusal(at: address): throw ValidationError(reason)
        case .refused, .nothing, nil:
            if let reason = typed.lazy.compactMap({ $0.form.refusal(of: $0.said) }).first {
                throw ValidationError(reason)
            }
            let said = values.compactMap(\.written).joined(separator: " ")
            throw ValidationError(Self.row.typedRefusal + (said.isEmpty ? "" : ", not '\(said)'"))
        }
    }

    var customMirror: Mirror { Mirror(self, children: Self.forms.map { (label: $0.name, value: Self.shown($0)) }) }

    /// Returns help on an argument that takes one word of a list: the words and the default; empty for other arguments.
    private static func choices(of form: Form) -> String {
        guard case .word(let words) = form.kind else { return "" }
        let usual = form.usual.map { "; default: \($0)" } ?? ""
        return " (values: \(words.joined(separator: ", "))\(usual))"
    }

    /// Arguments in the usage line. The parser marks an argument that may begin with a minus as repeatable (`...`); the
    /// mark is removed for a single number.
    static var usage: String {
        forms.reduce(arguments(of: Self.self)) { usage, form in
            guard case .numbers(1) = form.kind else { return usage }
            return usage.replacing("\(form.shownName) ...", with: form.shownName)
        }
    }

    /// Returns the names within a running session that fit an argument; nil for other arguments.
    private static func names(of form: Form) -> RunningNames? {
        guard form.name == "name" else { return nil }
        if isOfPlugin { return .plugins }
        return ["interrupt/begin": .inputs, "interrupt/end": .interruptions][row.id]
    }

    private static func shown(_ form: Form) -> Any {
        let value = if case .option(_, let value) = form.kind { value } else { form.name }
        let help = ArgumentHelp(
            "\(form.help)\(choices(of: form))", valueName: value, visibility: form.isHidden ? .hidden : .default)
        func argument(_ completion: CompletionKind?) -> Any {
            form.standard == nil
                ? Argument<String>(help: help, completion: completion)
                : Argument<String?>(help: help, completion: completion)
        }
        switch form.kind {
        case .text: return argument(names(of: form)?.completion)
        case .word(let words): return argument(.list(words))
        case .path(let isFolder): return argument(isFolder ? .directory : .file())
        case .rest, .numbers:
            let array = Argument<[String]>.self
            return form.standard == nil
                ? array.init(parsing: .allUnrecognized, help: help)
                : array.init(wrappedValue: [], parsing: .allUnrecognized, help: help)
        case .option:
            // The number may begin with a minus; the row refuses negative numbers where they are invalid.
            return Option<String?>(name: .customLong(form.name), parsing: .unconditional, help: help)
        case .flag: return Flag<Bool>(wrappedValue: false, name: .customLong(form.name), help: help)
        case .choice:
            return Flag<Bool>(wrappedValue: true, name: .customLong(form.name), inversion: .prefixedNo, help: help)
        }
    }
}

/// Returns the parser's usage line without the command name at its start.
func arguments(of type: any ParsableArguments.Type) -> String {
    let line = type.usageString()
    return line.firstRange(of: " ").map { String(line[$0.upperBound...]) } ?? ""
}

/// The parser's coding key for a name in a table.
struct ArgumentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
