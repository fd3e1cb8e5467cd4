import ArgumentParser

/// JACK client name of a live command, and the ports to which the ear outputs are connected.
struct ClientPlace: ParsableArguments {
    @Option(help: ArgumentHelp("JACK client name.", valueName: "name")) var name: String = "proscenium"
    @Option(
        help: ArgumentHelp(
            "Connect the ears: 'physical', or two ports as a list or pattern ('system:playback_{1,2}').",
            valueName: "ports"),
        completion: .list(["physical"]))
    var connectOut: String?
}

/// JACK client of `preview`, its treatment of existing files, and its terminal.
struct ClientOptions: ParsableArguments {
    @OptionGroup(title: "JACK") var place: ClientPlace
    @OptionGroup var former: OverwriteOption
    @Flag(help: "No status line and no keys.") var quiet = false
}
