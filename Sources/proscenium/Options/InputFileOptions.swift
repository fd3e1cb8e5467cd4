import ArgumentParser
import Session
import Soundstage
import Stages

/// Content of an input file without metadata; shared by the commands without binaural output.
struct InputFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Layout of a file that states none; as in 'render'.", valueName: "layout"),
        completion: .layouts)
    var layout: String?
    @Option(help: "Loudspeaker angles: itu (BS.2051) or dolby, where these differ.")
    var angles: Layout.Angles = .itu
    @Option(help: "Channel ordering and normalisation of a sound field in the input: sn3d (AmbiX), n3d or fuma.")
    var ambisonics: AmbisonicFormat.Convention = .sn3d
    @OptionGroup var channels: OrderOption

    /// Channel order of a file without metadata.
    var order: ChannelOrder? { channels.order }

    /// Returns the options as Session's settings, with a total gain in dB.
    func stage(gain: Double = 0) -> StageSettings {
        StageSettings(layout: layout, angles: angles, ambisonics: ambisonics, gain: gain)
    }
}

extension Layout.Angles: ExpressibleByArgument {}
extension AmbisonicFormat.Convention: ExpressibleByArgument {}
