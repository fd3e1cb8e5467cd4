import ArgumentParser
import Soundstage

/// Channel order of a file without metadata, shared by the commands that read multichannel files.
struct OrderOption: ParsableArguments {
    @Option(help: "Channel order where neither the file nor its metadata say: wave (default), smpte or film.")
    var order: ChannelOrder?
}

extension ChannelOrder: ExpressibleByArgument {}
