import ArgumentParser
import Session

/// Options that decide what is placed on the stage, shared by `run` and `render`.
struct ProgrammeOptions: ParsableArguments {
    @Option(help: "How the stage meets the head: tracked (stands still), fixed (hangs from it) or off (two channels).")
    var mode: ProgrammeSettings.Mode = .tracked

    @Option(
        help: "What is placed on the stage: none, stereo (and mono), multichannel or all (default: by --content).")
    var spatialize: ProgrammeSettings.Spatialization?

    @Option(
        help: "What is played: av (all formats are placed on the stage; default) or audio (multichannel only).")
    var content: ProgrammeSettings.Content?

    @Option(
        name: .customLong("source-width"),
        help: ArgumentHelp(
            "Spread each source of the main input over so many degrees, 0 to 180 (default: by its metadata, else 0).",
            valueName: "degrees"))
    var sourceWidth: Double?

    @OptionGroup var loudness: LoudnessOptions

    @OptionGroup var opening: OpeningOptions

    func validate() throws {
        guard (0...180).contains(sourceWidth ?? 0) else {
            throw ValidationError("--source-width must lie between 0 and 180 degrees, not \(sourceWidth ?? 0)")
        }
    }

    /// The same, as Session takes it, with inputs beside the main one.
    func settings(inputs: [InputSettings] = []) -> ProgrammeSettings {
        var settings = ProgrammeSettings(
            mode: mode, spatialization: spatialize, content: content, dynamics: loudness.settings, inputs: inputs)
        settings.width = sourceWidth
        settings.opening = opening.settings(latency: .player)
        return settings
    }
}

extension ProgrammeSettings.Mode: ExpressibleByArgument {}
extension ProgrammeSettings.Spatialization: ExpressibleByArgument {}
extension ProgrammeSettings.Content: ExpressibleByArgument {}
