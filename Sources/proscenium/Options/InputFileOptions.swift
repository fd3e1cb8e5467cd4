import ArgumentParser
import Session
import Soundstage
import Stages

/// What a file that comes in holds, where it does not say; shared by the tools without ears.
struct InputFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("What the file is, where it does not say; as in 'render'.", valueName: "layout"))
    var layout: String?
    @Option(help: "Loudspeaker angles where documents differ: itu (BS.2051) or dolby.")
    var angles: Layout.Angles = .itu
    @Option(help: "Channel ordering and normalisation of a sound field that comes in: sn3d (AmbiX), n3d or fuma.")
    var ambisonics: AmbisonicFormat.Convention = .sn3d
    @OptionGroup var channels: OrderOption

    /// Channel order, where the file does not say.
    var order: ChannelOrder? { channels.order }

    /// The same, as Session takes it, with a gain of the whole in dB.
    func stage(gain: Double = 0) -> StageSettings {
        StageSettings(layout: layout, angles: angles, ambisonics: ambisonics, gain: gain)
    }
}

extension Layout.Angles: ExpressibleByArgument {}
extension AmbisonicFormat.Convention: ExpressibleByArgument {}
