import ArgumentParser
import AudioMix
import Session
import Soundstage
import Stages

/// Options of the rendering, shared by `run`, `render` and `preview`.
struct StageOptions: ParsableArguments {
    @OptionGroup(title: "Stage") var place: StageNames

    @OptionGroup(title: "Stage") var choices: ParameterOptions<StageRows>

    @OptionGroup(title: "Room") var room: RoomOptions

    @OptionGroup(title: "Headphones") var headphones: HeadphoneOptions

    @OptionGroup(title: "Plugins and effects") var plugins: PluginOptions

    @OptionGroup(title: "Plugins and effects") var effects: EffectOptions

    @OptionGroup var programmes: ProgrammeOptions

    /// The named layout; nil without one.
    var layout: String? { place.layout }

    /// The named HRTF set; nil without one.
    var hrtf: String? { place.hrtf }

    /// Returns the options as Session's settings.
    ///
    /// - Parameters:
    ///   - fallback: the room if none is named; dry by default.
    ///   - latency: look-ahead of an upmix unless chosen.
    func settings(room fallback: String = "none", latency: UpmixLatency = .player) throws -> StageSettings {
        var settings = StageSettings(layout: layout, hrtf: hrtf, room: RoomSettings(name: room.room ?? fallback))
        settings.keepsRooms = true
        settings.headphones = headphones.settings
        settings.programmes.content = programmes.content
        settings.programmes.upmix = programmes.upmix.settings(latency: latency)
        settings.plugins = try plugins.requests
        settings.programmes.effects = try effects.effect.map { try EffectSettings(parsing: $0) }
        let usual: AudioMixLatency = latency == .live ? .live : .player
        (settings.programmes.mix, settings.programmes.camera) = try programmes.mix.mix(
            programmes.mixing.changes, camera: programmes.mixing.file("camera-heading"), usual: usual)
        let mixing = settings.programmes.mix == nil ? [] : programmes.mixing.changes
        settings.take(choices.changes + room.choices.changes + programmes.changes + mixing)
        return settings
    }
}

/// The loudspeaker layout and the HRTF set.
struct StageNames: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Layout: a name (\(StageSettings.layoutNames.joined(separator: ", "))) or a JSON file of loudspeakers.",
            valueName: "layout"),
        completion: .layouts)
    var layout: String?

    @Option(help: StageNames.hrtfHelp, completion: .sets)
    var hrtf: String?

    /// Help of `--hrtf`.
    static var hrtfHelp: ArgumentHelp {
        ArgumentHelp(
            "HRTF set: kemar, generated, or a SOFA file. 'hrtf list' shows the installed sets, and measured people by name.",
            valueName: "set")
    }
}

/// Options of the room around the stage.
struct RoomOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Room: \(RoomSettings.names.joined(separator: ", ")), a SOFA or WAV file, or a folder of WAV files by head yaw. A measured person's name is that person's room. 'room info' measures it.",
            valueName: "room"),
        completion: .rooms)
    var room: String?

    @OptionGroup var choices: ParameterOptions<RoomRows>
}

/// Options of shared effects.
struct EffectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An effect that inputs share: they are sent to it, and it returns as an input of its own; may be repeated. \(effectHelp)",
            valueName: "name=layout,input=db[,input=db...][,key=value...]"))
    var effect: [String] = []

    /// Help on an effect's send and return.
    private static let effectHelp =
        "'--plugin NAME=URI' gives it a plugin. A send carries an input ('main') behind its level, dynamics and plugins, "
        + "in the effect's layout, at a fixed level in dB. 'ctl level' sets the level of the return. "
        + "Keys: \(EffectSettings.keys)."
}

/// Headphone equalisation, shared by the commands whose output may be for headphones.
struct HeadphoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Equalisation of the headphones: an Equalizer APO or AutoEq text, or an impulse response as a sound file. A measured person's name is the inverse of that person's headphones. 'headphones info' shows its gain.",
            valueName: "file"),
        completion: .file())
    var headphoneEq: String?

    /// The option as Session's settings.
    var settings: HeadphoneSettings { HeadphoneSettings(file: headphoneEq ?? "none") }
}
