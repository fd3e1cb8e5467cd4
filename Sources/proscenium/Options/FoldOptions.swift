import ArgumentParser
import Gate
import Offline
import Session
import Signal
import Soundstage

/// Options of the downmix, shared by `process` and `bake`.
struct FoldOptions: ParsableArguments {
    /// A level in dB, or `off`.
    struct Level: ExpressibleByArgument {
        let decibels: Decibels

        init?(argument: String) {
            if argument == "off" {
                decibels = Decibels(amplitude: 0)
            } else if let value = Double(argument, unit: "dB"), (-60...6).contains(value) {
                decibels = Decibels(value)
            } else {
                return nil
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            "Kind of a stereo fold-down: loro, for two loudspeakers (default), or ltrt, for matrix decoders.",
            valueName: "kind"))
    var foldDown: FoldSettings.Kind?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Level of the centre in each channel of loro, -60 to 6 dB or off (default: -3.01; ATSC A/52: -3, -4.5, -6).",
            valueName: "dB"))
    var centreLevel: Level?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Level of sides, backs and heights on their own side of loro, -60 to 6 dB or off (default: -3.01).",
            valueName: "dB"))
    var surroundLevel: Level?

    @Option(
        help: ArgumentHelp(
            "Level of sides and backs in a single pair of surrounds: full (0 dB each; default), power (-3 dB) or amplitude (-6 dB: the same sound in both keeps its level).",
            valueName: "sum"))
    var surroundSum: FoldChoice.SurroundSum?

    /// The options as Session's settings.
    var settings: FoldSettings {
        FoldSettings(
            kind: foldDown ?? .loro,
            levels: FoldChoice(
                centre: centreLevel?.decibels, surround: surroundLevel?.decibels, surroundSum: surroundSum ?? .full))
    }
}

extension FoldSettings.Kind: ExpressibleByArgument {}
extension FoldChoice.SurroundSum: ExpressibleByArgument {}
