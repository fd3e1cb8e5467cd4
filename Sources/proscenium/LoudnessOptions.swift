import ArgumentParser
import Session

/// Options that say how loud a programme is and what becomes of its dynamics, shared by `run` and `render`.
struct LoudnessOptions: ParsableArguments {
    @Option(
        name: .customLong("programme-loudness"), parsing: .unconditional,
        help: ArgumentHelp("How loud the programme is ('proscenium loudness' measures it).", valueName: "LUFS"))
    var programmeLoudness: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How loud its dialogue is, -31 to -1; played at -31 unless told otherwise.", valueName: "n"))
    var dialnorm: String?

    @Option(
        name: .customLong("loudness-target"), parsing: .unconditional,
        help: ArgumentHelp(
            "Where that is brought to: LUFS, line (-31), rf (-20), or off whatever the metadata say.",
            valueName: "target"))
    var loudnessTarget: String?

    @Option(
        help: ArgumentHelp(
            "Compress dynamics: \(DynamicsSettings.profileNames) (default: by the metadata).", valueName: "profile"))
    var drc: String?

    @Option(
        name: .customLong("drc-cut"),
        help: ArgumentHelp("Share of the profile's attenuation that is applied, 0 to 1.", valueName: "share"))
    var drcCut: String?

    @Option(
        name: .customLong("drc-boost"),
        help: ArgumentHelp("Share of the profile's amplification that is applied, 0 to 1.", valueName: "share"))
    var drcBoost: String?

    /// What was given, by the keys that Session knows.
    private var words: [(key: String, value: String)] {
        [
            ("programme-loudness", programmeLoudness), ("dialnorm", dialnorm), ("loudness-target", loudnessTarget),
            ("drc", drc), ("drc-cut", drcCut), ("drc-boost", drcBoost),
        ].compactMap { key, value in value.map { (key, $0) } }
    }

    func validate() throws {
        var settings = DynamicsSettings()
        for (key, value) in words where !settings.read(key: key, value: value) {
            throw ValidationError("--\(key) cannot be '\(value)'; there are \(DynamicsSettings.keys)")
        }
    }

    /// The same, as Session takes it.
    var settings: DynamicsSettings {
        var settings = DynamicsSettings()
        for (key, value) in words { _ = settings.read(key: key, value: value) }
        return settings
    }
}
