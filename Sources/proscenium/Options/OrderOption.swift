import ArgumentParser
import Soundstage

/// Channel order of a file without metadata, shared by the commands that read multichannel files.
struct OrderOption: ParsableArguments {
    @Option(help: "Channel order, if neither the file nor its metadata state it: wave (default), smpte or film.")
    var order: ChannelOrder?
}

extension ChannelOrder: ExpressibleByArgument {}
