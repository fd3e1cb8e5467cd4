import ArgumentParser
import HRTF
import Session
import Stages

/// The rows of the parameter table that a command takes as options.
protocol ParameterRows {
    /// The rows, in the order help shows them.
    static var rows: [Parameter] { get }
    /// Present names of options by their former names. A former name is accepted for one release, with a hint.
    static var former: [String: String] { get }
    /// Options that take a file instead of a number, with a phrase that describes the file.
    static var files: [String: String] { get }
}

extension ParameterRows {
    static var former: [String: String] { [:] }
    static var files: [String: String] { [:] }

    /// Returns the rows of some groups that can be set at the start.
    static func choices(_ groups: Parameter.Group...) -> [Parameter] {
        Parameter.all.filter { $0.isChoice && groups.contains($0.group) }
    }
}

/// The word that switches between on and off; valid only in a running session, which has a present state.
private let toggle = "toggle"

/// Options generated from the parameter table: names, values, help, completions and checks come from its rows.
///
/// The parser finds options by reflection over a value of this type; `customMirror` has a child for each row.
struct ParameterOptions<Rows: ParameterRows>: CheckedOptions, TabledOptions, CustomReflectable {
    /// The given values as written, by the option's name.
    private var given: [(option: String, value: String)] = []

    /// Present and former names, in the order in which their values apply.
    private static var names: [String] { Rows.rows.map(\.id) + Rows.former.keys.sorted() }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ArgumentKey.self)
        for name in Self.names {
            if let value = try container.decode(Option<String?>.self, forKey: ArgumentKey(stringValue: name))
                .wrappedValue
            {
                given.append((name, value))
            }
        }
    }

    var customMirror: Mirror {
        let options = Rows.rows.map { ($0.id, Self.option($0)) }
        let former = Rows.former.keys.sorted().map { name in
            (name, Option<String?>(name: .customLong(name), parsing: .unconditional, help: .hidden))
        }
        return Mirror(self, children: (options + former).map { (label: $0, value: $1) })
    }

    private static func option(_ row: Parameter) -> Option<String?> {
        let facts = [row.numbers.isEmpty ? nil : row.takes, row.standard.map { "default: \($0)" }].compactMap(\.self)
        let file = Rows.files[row.id]
        let remark = facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
        let help = row.sentence + remark + (file.map { ", or \($0)" } ?? "")
        let words = row.words.filter { $0 != toggle }
        let name =
            row.numbers.isEmpty
            ? words.joined(separator: "|")
            : row.numbers.count > 1
                ? row.numbers.map(\.name).joined(separator: ",")
                : (row.numbers[0].unit.isEmpty ? "share" : row.numbers[0].unit) + (file == nil ? "" : "|file")
        return Option<String?>(
            name: .customLong(row.id), parsing: .unconditional, help: ArgumentHelp("\(help).", valueName: name),
            completion: file != nil ? .file() : words.isEmpty ? nil : .list(words))
    }

    func check() throws {
        for (option, value) in given {
            let name = Rows.former[option] ?? option
            if Self.isFile(option, value) { continue }
            do throws(ParameterError) { _ = try ParameterChange(name, [value]) } catch {
                throw ValidationError("--\(error)")
            }
            // Words are compared exactly, so no other spelling needs a check.
            guard value != toggle else {
                throw ValidationError("--\(option) takes on or off; '\(toggle)' is for 'ctl', in a running session")
            }
            if name != option { say("--\(option) is now called --\(name)") }
        }
    }

    func filled(with values: [String: [String]]) -> Self {
        let typed = Dictionary(given.map { ($0.option, $0.value) }) { $1 }
        var filled = self
        filled.given = Self.names.compactMap { name in
            (typed[name] ?? values[name]?.last).map { (option: name, value: $0) }
        }
        return filled
    }

    /// The given options as parameter changes.
    var changes: [ParameterChange] {
        given.filter { !Self.isFile($0.option, $0.value) }
            .compactMap { try? ParameterChange(Rows.former[$0.option] ?? $0.option, [$0.value]) }
    }

    /// Returns the file that an option names instead of a number; nil for other values.
    func file(_ option: String) -> String? {
        given.first { $0.option == option && Self.isFile($0.option, $0.value) }?.value
    }

    /// Returns whether a value is a file's path: no number, and with a dot or a slash, as with layouts.
    /// The row parses all other values.
    private static func isFile(_ option: String, _ value: String) -> Bool {
        Rows.files[option] != nil && Double(value) == nil && value.contains { $0 == "." || $0 == "/" }
    }
}

/// Parameters of the stage without its room.
enum StageRows: ParameterRows {
    static let rows = choices(.stage)
}

/// Parameters of an HRTF set's preparation.
enum PreparationRows: ParameterRows {
    static let rows =
        Parameter.stage.filter { $0.subsection == .preparation }
        + Parameter.preparation.filter { $0.id != "voice-distance" }
}

extension ParameterOptions<PreparationRows> {
    /// The options as HRTF options.
    var options: HRTFOptions {
        var settings = StageSettings()
        settings.take(changes)
        return settings.preparation
    }
}

/// Parameters of the main input: its level, and its place around the listener.
enum InputRows: ParameterRows {
    static let rows = choices(.input)
}

/// Parameters of the main input's loudness and dynamics.
enum LoudnessRows: ParameterRows {
    static let rows = choices(.loudness)
}

/// Parameters of the Audio Mix.
enum MixRows: ParameterRows {
    static let rows = choices(.mix)
    static let files = [
        "camera-heading": "a CSV of seconds,degrees[,field] over time, or a take's orientation (not in 'run')"
    ]
}

/// Parameters of the room.
enum RoomRows: ParameterRows {
    static let rows = choices(.room)
}

/// Parameters of the upmix.
enum UpmixRows: ParameterRows {
    static let rows = choices(.upmix)
    static let former = ["centre": "upmix-centre", "width": "upmix-width", "ambience": "upmix-ambience"]
}

/// Parameters of head tracking.
enum TrackingRows: ParameterRows {
    static let rows = choices(.tracking)
}

/// Parameters of monitoring.
enum ListeningRows: ParameterRows {
    static let rows = choices(.monitor)
}

/// Parameters saved beside a baked file.
enum BakeRows: ParameterRows {
    static let rows = ["dialnorm", "drc", "place", "source-width"].compactMap { Parameter.named($0) }
    static let former = ["width": "source-width"]
}
