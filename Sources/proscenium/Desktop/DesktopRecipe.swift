import Desktop
import SavedSessions

/// The options of the session that plays the desktop's sinks, as sources of its recipe. Some sources take precedence
/// over the config file; one source comes after it.
struct DesktopRecipe: Equatable, Sendable {
    /// The command that plays the session.
    static let command = "run"
    /// Command line of the service. The session reads its options from the record of `desktop on`.
    static let words = [command, "--desktop"]

    /// The options of `run` that were typed with `desktop on`.
    let typed: TypedOptions
    /// Layout of the main sink.
    let layout: String
    /// Further inputs, as values of `--input`.
    private(set) var inputs: [String] = []
    /// Whether the options are those of a record, which another version of the program may have written.
    private let isSaved: Bool

    /// Takes over the options of a record.
    init(_ record: DesktopRecord) {
        (typed, layout, inputs, isSaved) = (record.typed, record.layout, record.inputs, true)
    }

    /// Finds the layout and the further inputs.
    ///
    /// - Parameters:
    ///   - typed: options of `run` that were typed with `desktop on`.
    ///   - layout: layout of the main sink; nil: the typed one, else that of the config file, else 7.1.
    ///   - rules: rules for the programs, which need further inputs.
    ///   - path: path of the config file.
    /// - Throws: `Failure` for a faulty config file.
    init(
        typed: TypedOptions, layout: String? = nil, _ rules: StreamRules, config path: String = ConfigFile.path
    ) throws {
        var files = Recipe(under: typed)
        for source in try Self.files(at: path) { try files.take(source) { _ in } }
        func value(of option: String) -> String? { typed.text(of: option) ?? files.values[option]?.last }
        (self.typed, isSaved) = (typed, false)
        self.layout = layout ?? value(of: "layout") ?? "7.1"
        inputs = rules.inputs(isMainUpmixed: self.layout == "stereo" && value(of: "upmix") != "off")
    }

    /// Returns the lines of the config file for `run`, in order of precedence.
    private static func files(at path: String) throws -> [[Recipe.Line]] {
        let lines = try ConfigFile.lines(at: path)
        return [lines.filter { $0.section == "run" }.map(\.line), lines.filter { $0.section == nil }.map(\.line)]
    }

    /// The sources that come before the config file: the options by which the session and the sinks find each other,
    /// then the typed ones. An invalid option of a record is only reported.
    var first: [[Recipe.Line]] {
        let place = "the desktop's sinks"
        var own = [
            Recipe.Line(option: "name", values: [DesktopRecord.session], place: place),
            Recipe.Line(option: "quiet", values: ["on"], place: place),
            Recipe.Line(option: "layout", values: [layout], place: place),
        ]
        if !inputs.isEmpty { own.append(Recipe.Line(option: "input", values: inputs, isList: true, place: place)) }
        let source = isSaved ? "the record of 'desktop on'" : "desktop on"
        return [own, typed.lines(at: source, isForgiven: isSaved)]
    }

    /// The last source: options that apply where neither a typed word nor the config file sets them.
    var last: [Recipe.Line] {
        var defaults = ["limiter": "lookahead", "gain": "-3"]
        if layout == "stereo" { defaults["upmix"] = "identity" }
        return defaults.sorted { $0.key < $1.key }.map {
            Recipe.Line(option: $0.key, values: [$0.value], place: "the defaults of 'desktop on'")
        }
    }

    /// Returns the options of `run` among the words after `desktop on`.
    static func options(_ all: [String]) -> TypedOptions {
        var words = [command]
        var rest = all[...]
        while let word = rest.popFirst() {
            if word == "--default" || word.hasPrefix("--output=") { continue }
            if word == "--output" {
                _ = rest.popFirst()
                continue
            }
            words.append(word)
        }
        return TypedOptions(words)
    }
}
