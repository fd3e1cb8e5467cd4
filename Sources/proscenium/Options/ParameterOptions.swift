import ArgumentParser
import HRTF
import Session
import Stages

/// Which rows of the table of parameters a command takes as options.
protocol ParameterRows {
    /// The rows, in the order help shows them.
    static var rows: [Parameter] { get }
    /// What options were called before, by their former names; accepted for one release, with a hint.
    static var former: [String: String] { get }
    /// Options that take a file instead of a number, and what such a file is, in a phrase.
    static var files: [String: String] { get }
}

extension ParameterRows {
    static var former: [String: String] { [:] }
    static var files: [String: String] { [:] }

    /// What can be chosen at first of some groups.
    static func choices(_ groups: Parameter.Group...) -> [Parameter] {
        Parameter.all.filter { $0.isChoice && groups.contains($0.group) }
    }
}

/// The word that asks for the other of on and off: it means something only where there is a state already.
private let toggle = "toggle"

/// Options that the table of parameters makes: names, values, help, completions and checks are the rows'.
///
/// The parser finds options by looking at a value of this type; `customMirror` shows it one for each row.
struct ParameterOptions<Rows: ParameterRows>: ParsableArguments, CustomReflectable {
    /// What was given, as written, by the option's name.
    private var given: [(option: String, value: String)] = []

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ArgumentKey.self)
        for name in Rows.rows.map(\.id) + Rows.former.keys.sorted() {
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

    func validate() throws {
        for (option, value) in given {
            let name = Rows.former[option] ?? option
            if Self.isFile(option, value) { continue }
            do throws(ParameterError) { _ = try ParameterChange(name, [value]) } catch {
                throw ValidationError("--\(error)")
            }
            // A word is taken as it stands, so no other writing of it has to be looked for.
            guard value != toggle else {
                throw ValidationError("--\(option) is on or off at first; '\(toggle)' is for 'ctl', later")
            }
            if name != option { say("--\(option) is now called --\(name)") }
        }
    }

    /// What was said, by the table.
    var changes: [ParameterChange] {
        given.filter { !Self.isFile($0.option, $0.value) }
            .compactMap { try? ParameterChange(Rows.former[$0.option] ?? $0.option, [$0.value]) }
    }

    /// The file that an option names instead of a number; nil where it does not.
    func file(_ option: String) -> String? {
        given.first { $0.option == option && Self.isFile($0.option, $0.value) }?.value
    }

    /// Whether a value is a file's path: what is no number and has a dot or a slash, as with layouts.
    /// All else is for the row.
    private static func isFile(_ option: String, _ value: String) -> Bool {
        Rows.files[option] != nil && Double(value) == nil && value.contains { $0 == "." || $0 == "/" }
    }
}

/// The stage without its room.
enum StageRows: ParameterRows {
    static let rows = choices(.stage)
}

/// How an HRTF set is prepared.
enum PreparationRows: ParameterRows {
    static let rows = ["processing", "diffuse-field", "bass", "phase", "head-circumference", "distance"].compactMap {
        Parameter.named($0)
    }
}

extension ParameterOptions<PreparationRows> {
    /// The choices.
    var options: HRTFOptions {
        var settings = StageSettings()
        settings.take(changes)
        return settings.preparation
    }
}

/// The main input: its level, and how it meets the listener.
enum InputRows: ParameterRows {
    static let rows = choices(.input)
}

/// The main input's loudness and dynamics.
enum LoudnessRows: ParameterRows {
    static let rows = choices(.loudness)
}

/// The Audio Mix alone.
enum MixRows: ParameterRows {
    static let rows = choices(.mix)
    static let files = [
        "camera-heading": "over a file's time a CSV of seconds,degrees[,field] or a take's orientation (not in 'run')"
    ]
}

/// The room alone.
enum RoomRows: ParameterRows {
    static let rows = choices(.room)
}

/// The upmix alone.
enum UpmixRows: ParameterRows {
    static let rows = choices(.upmix)
    static let former = ["centre": "upmix-centre", "width": "upmix-width", "ambience": "upmix-ambience"]
}

/// Head tracking.
enum TrackingRows: ParameterRows {
    static let rows = choices(.tracking)
}

/// What is listened to.
enum ListeningRows: ParameterRows {
    static let rows = choices(.monitor)
}

/// What stands beside a baked file.
enum BakeRows: ParameterRows {
    static let rows = ["dialnorm", "drc", "place", "source-width"].compactMap { Parameter.named($0) }
    static let former = ["width": "source-width"]
}
