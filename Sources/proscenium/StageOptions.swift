import ArgumentParser
import Session
import Soundstage

/// Options that decide the sound, shared by `run`, `render` and `preview`.
struct StageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Layout: a name (\(StageSettings.layoutNames.joined(separator: ", "))) or a JSON file of loudspeakers.",
            valueName: "layout"),
        completion: .list(StageSettings.layoutNames))
    var layout: String?

    @Option(help: StageOptions.hrtfHelp, completion: .custom { _, _, _ in HRTFCommand.names })
    var hrtf: String?

    /// What `--hrtf` is for.
    static var hrtfHelp: ArgumentHelp {
        ArgumentHelp("HRTF set: kemar, generated, or a SOFA file. 'hrtf list' shows what is there.", valueName: "set")
    }

    @Option(
        help: ArgumentHelp(
            "Room: \(RoomSettings.names.joined(separator: ", ")), a SOFA or WAV file, or a folder of WAV files by head yaw. 'room info' measures it.",
            valueName: "room"),
        completion: .list(RoomSettings.names))
    var room: String?

    @OptionGroup var choices: ParameterOptions<StageRows>

    @OptionGroup var programmes: ProgrammeOptions

    /// The same, as Session takes it.
    ///
    /// - Parameters:
    ///   - fallback: the room that stands where none is named; dry unless chosen.
    ///   - latency: how far an upmix looks ahead unless chosen.
    func settings(room fallback: String = "none", latency: UpmixLatency = .player) -> StageSettings {
        var settings = StageSettings(layout: layout, hrtf: hrtf, room: RoomSettings(name: room ?? fallback))
        settings.programmes.content = programmes.content
        settings.programmes.upmix = programmes.upmix.settings(latency: latency)
        settings.take(choices.changes + programmes.choices.changes)
        return settings
    }
}
