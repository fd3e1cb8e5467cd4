import ArgumentParser

/// What a live command is called in JACK, and where its ears go.
struct ClientPlace: ParsableArguments {
    @Option(help: ArgumentHelp("JACK client name.", valueName: "name")) var name: String = "proscenium"
    @Option(
        help: ArgumentHelp(
            "Connect the ears: 'physical', or two ports as a list or pattern ('system:playback_{1,2}').",
            valueName: "ports"))
    var connectOut: String?
}

/// What the live commands `run` and `preview` are in JACK, and how they behave there.
struct ClientOptions: ParsableArguments {
    @OptionGroup(title: "JACK") var place: ClientPlace
    @OptionGroup var former: OverwriteOption
    @Flag(help: "No status line and no keys.") var quiet = false
}
