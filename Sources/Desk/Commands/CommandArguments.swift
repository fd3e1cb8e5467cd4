import AudioIO
import Gate
import Loading
import Racks

/// All arguments of a command, and the functions that read and write them. `Value`: type of the values; a pair for
/// several arguments.
struct CommandArguments<Value: Sendable>: Sendable {
    /// The arguments, in order.
    let list: [CommandArgument]
    /// Reads the values. If a value is missing or invalid, notes this in the reader and returns nil.
    let read: @Sendable (inout CommandReader) -> Value?
    /// Returns the values as they are sent.
    let write: @Sendable (Value) -> [CommandValue]
    /// Returns the values with absolute paths that the origin may access. Throws the reason why a path is refused.
    let admit: @Sendable (Value, WriteGate, PathOrigin) throws(PathRefusal) -> Value

    /// Creates arguments; see the properties. By default they contain no path.
    init(
        _ list: [CommandArgument], read: @escaping @Sendable (inout CommandReader) -> Value?,
        write: @escaping @Sendable (Value) -> [CommandValue],
        admit: @escaping @Sendable (Value, WriteGate, PathOrigin) throws(PathRefusal) -> Value = { value, _, _ in
            value
        }
    ) {
        self.list = list
        self.read = read
        self.write = write
        self.admit = admit
    }
}

extension CommandArguments where Value == Void {
    /// No arguments.
    static var nothing: CommandArguments<Void> {
        CommandArguments<Void>([], read: { _ in .some(()) }, write: { _ in [] })
    }
}

extension CommandArguments where Value == String {
    /// The plugin's name in the address. It is no argument of a message, but is written before the arguments.
    static var pluginName: CommandArguments<String> {
        CommandArguments<String>([], read: { $0.name }, write: { [.text($0)] })
    }

    /// A text within a limit. `read`: converts the text that was sent; returns nil for an invalid one. `name` and
    /// `help`: the argument on the command line; without a name, the command line lacks the argument.
    static func text(
        _ words: String, name: String? = nil, help: String = "", limit: ArgumentLimit? = nil,
        read: @escaping @Sendable (String) -> String? = { $0 }
    ) -> CommandArguments<String> {
        let forms = name.map { [CommandForm.Argument($0, .text, help, limit: limit)] } ?? []
        return CommandArguments<String>(
            [CommandArgument(words, forms: forms)],
            read: { words in
                words.text { text -> String? in limit.map { $0.admits(text) } ?? true ? read(text) : nil }
            }, write: { [.text($0)] })
    }

    /// A text, a number or a truth value, as text. `type`: its OSC Query type. `kind`: its syntax on the command line.
    static func written(
        _ words: String, type: Character = "s", name: String, kind: CommandForm.Argument.Kind = .text, help: String
    ) -> CommandArguments<String> {
        CommandArguments<String>(
            [CommandArgument(words, type: type, forms: [CommandForm.Argument(name, kind, help)])],
            read: { $0.written() }, write: { [.text($0)] })
    }

    /// A path. The queue checks it as `use` requires. `accepts`: returns whether a text is a valid path.
    static func path(
        _ words: String, _ use: PathUse, name: String, help: String,
        accepts: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> CommandArguments<String> {
        let form = CommandForm.Argument(name, .path(isFolder: use.isFolder), help)
        return CommandArguments<String>(
            [CommandArgument(words, forms: [form])],
            read: { words in words.text { path -> String? in accepts(path) ? path : nil } }, write: { [.text($0)] },
            admit: { path, gate, origin throws(PathRefusal) in try use.admitted(path, by: gate, from: origin) })
    }
}

extension CommandArguments where Value == Double {
    /// A number within a range, in a unit. `option`: name of the value on the command line, where it follows `--NAME`;
    /// nil for a number without an option's name.
    static func number(
        _ range: ClosedRange<Double>, _ words: String, name: String? = nil, option: String? = nil, unit: String = "",
        help: String = ""
    ) -> CommandArguments<Double> {
        let kind = option.map { CommandForm.Argument.Kind.option(value: $0) } ?? .numbers(1)
        let forms = name.map { [CommandForm.Argument($0, kind, help, limit: .number(range, unit))] } ?? []
        return CommandArguments<Double>(
            [CommandArgument(words, type: "f", range: range, forms: forms)], read: { $0.number(range) },
            write: { [.number($0)] })
    }
}

extension CommandArguments where Value == Int {
    /// A position in a chain of plugins, from 0.
    static func position(
        name: String, kind: CommandForm.Argument.Kind = .numbers(1), help: String
    ) -> CommandArguments<Int> {
        let form = CommandForm.Argument(name, kind, help, limit: .position)
        return CommandArguments<Int>(
            [CommandArgument("a position from 0 on", type: "i", forms: [form])], read: { $0.whole(0...Int.max) },
            write: { [.whole(Int32(clamping: $0))] })
    }
}

extension CommandArguments where Value == Bool? {
    /// True for `on`, false for `off`, nil for `toggle`. An omitted argument means `toggle`. `help`: help on the
    /// argument of the command line; nil if the command line lacks the argument.
    static func state(help: String?) -> CommandArguments<Bool?> {
        let forms = help.map {
            [CommandForm.Argument("state", .word(["on", "off", "toggle"]), $0, standard: "", usual: "toggle")]
        }
        return CommandArguments<Bool?>(
            [CommandArgument("on, off or toggle", isState: true, isOptional: true, forms: forms ?? [])],
            read: { $0.state() }, write: { isOn in [.text(isOn.map { $0 ? "on" : "off" } ?? "toggle")] })
    }
}

extension CommandArguments where Value: RawRepresentable, Value: CaseIterable, Value.RawValue == String {
    /// One of the words of a type. `words`: the words as error messages show them. `standard` and `usual`: see
    /// `CommandForm.Argument`. `others`: further forms on the command line. Without a name, the word has no form of
    /// its own there.
    static func word(
        _ type: Value.Type, words: String? = nil, name: String? = nil, help: String = "", standard: String? = nil,
        usual: String? = nil, others: [CommandForm.Argument] = []
    ) -> CommandArguments<Value> {
        let known = type.allCases.map(\.rawValue)
        let form = name.map { CommandForm.Argument($0, .word(known), help, standard: standard, usual: usual) }
        let shown = words ?? ArgumentLimit.words(known.map { "'\($0)'" }).words
        return CommandArguments<Value>(
            [CommandArgument(shown, forms: [form].compactMap(\.self) + others)],
            read: { words in words.text { text -> Value? in Value(rawValue: text) } },
            write: { [.text($0.rawValue)] })
    }
}

extension CommandArguments where Value == PluginRequest {
    /// A plugin, in the syntax of `--plugin`. `place`: place of the plugin if the text contains none.
    static func plugin(
        _ words: String, place: String? = nil, name: String, help: String
    ) -> CommandArguments<PluginRequest> {
        CommandArguments<PluginRequest>(
            [CommandArgument(words, forms: [CommandForm.Argument(name, .text, help)])],
            read: { words in
                guard let text = words.text({ text -> String? in text }) else { return nil }
                do throws(SessionError) {
                    return try PluginRequest(parsing: place.map { "\($0)=\(text)" } ?? text)
                } catch {
                    words.refuse(error)
                    return nil
                }
            }, write: { [.text(place == nil ? $0.written : $0.writtenWithoutPlace)] })
    }
}

/// Use of a path by a command.
enum PathUse: Sendable {
    /// Writes the file of a take.
    case writesTake
    /// Writes a folder.
    case writesFolder
    /// Reads a folder.
    case readsFolder

    /// Whether the path is that of a folder.
    var isFolder: Bool {
        switch self {
        case .writesTake: false
        case .writesFolder, .readsFolder: true
        }
    }

    /// Returns the absolute path, which `origin` may access.
    ///
    /// - Throws: `PathRefusal` with the reason why the path is refused.
    func admitted(_ path: String, by gate: WriteGate, from origin: PathOrigin) throws(PathRefusal) -> String {
        switch self {
        case .writesTake: try gate.take(path, from: origin)
        case .writesFolder: try gate.folder(path, from: origin)
        case .readsFolder: try gate.reading(path)
        }
    }
}

extension WriteGate {
    /// Returns the path at which a take of this name may be written; see `file`.
    package func take(_ said: String, from origin: PathOrigin) throws(PathRefusal) -> String {
        try file(said, from: origin, .file(SoundFileFormat.extensions))
    }
}
