import ArgumentParser
import Desk
import Gate
import Session

/// What is written behind a command of `ctl`, as its row has it.
///
/// The parser finds arguments by looking at a value of this type; `customMirror` shows it one for each of the row's.
struct RowArguments<Place: RowPlace>: ParsableArguments, CustomReflectable {
    private typealias Form = CommandForm.Argument
    private static var plugin: Form { Form("name", .text, "The plugin, by the name that 'ctl plugin list' shows.") }
    private static var row: Command { Command.typed[Place.value] }
    private static var isOfPlugin: Bool { row.id.contains("NAME") }
    private static var forms: [Form] { (isOfPlugin ? [plugin] : []) + (row.form?.arguments ?? []) }

    /// The row's address, and what is said there.
    private(set) var address = Self.row.id, values: [CommandValue] = []
    /// What was typed for each of the row's arguments.
    private var typed: [(form: Form, said: [String])] = []
    /// Why a path cannot be meant. The parser has no words for an error of this type's own that is thrown while it
    /// decodes, so `validate` throws this.
    private var pathFault: String?

    init() {}

    /// Throws errors of the parser alone.
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
                address = Self.row.id.replacing("NAME", with: said[0])
                continue
            }
            typed.append((form, said))
            values += left + values(of: said, as: form)
            left = []
            // Alone, 0 and 1 are a button's; a number that is meant goes as a text.
            if case .option = form.kind, values.count == 1, let text = said.first { values = [.text(text)] }
        }
    }

    /// What is sent for words.
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

    /// The whole path from where it is typed: the session may stand in another folder.
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
        // A plugin that cannot be meant is refused in other words.
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

    /// The words of an argument that takes one out of a list, and the one that is meant without it.
    private static func choices(of form: Form) -> String {
        guard case .word(let words) = form.kind else { return "" }
        let usual = form.usual.map { "; default: \($0)" } ?? ""
        return " (values: \(words.joined(separator: ", "))\(usual))"
    }

    /// The usage line's part of the row. The parser takes an argument that may begin with a minus for one that may be
    /// repeated.
    static var usage: String {
        forms.reduce(arguments(of: Self.self)) { usage, form in
            guard case .numbers(1) = form.kind else { return usage }
            return usage.replacing("\(form.shownName) ...", with: form.shownName)
        }
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
        case .text: return argument(nil)
        case .word(let words): return argument(.list(words))
        case .path(let isFolder): return argument(isFolder ? .directory : .file())
        case .rest, .numbers:
            let array = Argument<[String]>.self
            return form.standard == nil
                ? array.init(parsing: .allUnrecognized, help: help)
                : array.init(wrappedValue: [], parsing: .allUnrecognized, help: help)
        case .option:
            // A number may begin with a minus; where none may, the row's refusal says so.
            return Option<String?>(name: .customLong(form.name), parsing: .unconditional, help: help)
        case .flag: return Flag<Bool>(wrappedValue: false, name: .customLong(form.name), help: help)
        case .choice:
            return Flag<Bool>(wrappedValue: true, name: .customLong(form.name), inversion: .prefixedNo, help: help)
        }
    }
}

/// A usage line of the parser without the name that it begins with.
func arguments(of type: any ParsableArguments.Type) -> String {
    let line = type.usageString()
    return line.firstRange(of: " ").map { String(line[$0.upperBound...]) } ?? ""
}

/// A name in a table as the parser's key.
struct ArgumentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
