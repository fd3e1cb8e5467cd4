import ArgumentParser
import Session

/// Options that decide how stereo is opened into the stage, shared by `run` and `render`.
struct OpeningOptions: ParsableArguments {
    /// Which law is kept, or no upmix.
    enum Law: String, ExpressibleByArgument, CaseIterable { case off, identity, energy }

    @Option(
        help: ArgumentHelp(
            "Open stereo or mono into the stage: identity, energy (see 'upmix --help') or off.", valueName: "law"))
    var upmix: Law?
    @Option(
        name: .customLong("upmix-to"),
        help: ArgumentHelp("The layout that stereo is opened into, 5.1 or wider.", valueName: "layout"))
    var upmixTo: String = "5.1"
    @Option(
        name: .customLong("upmix-latency"),
        help: "Look-ahead of the upmix: live (2 ms) or player (43 ms); live in 'run', player elsewhere.")
    var upmixLatency: OpeningSettings.Latency?
    @Option(help: "Where an upmixed programme in one channel goes: centre or wide.")
    var mono: OpeningSettings.Mono = .centre
    @OptionGroup var amounts: OpeningAmounts

    /// The same, as Session takes it; `latency` unless chosen.
    func settings(latency: OpeningSettings.Latency) -> OpeningSettings {
        var settings = OpeningSettings()
        settings.mode = upmix == .identity ? .identity : upmix == .energy ? .energy : nil
        settings.isOff = upmix == .off
        settings.layout = upmixTo
        settings.latency = upmixLatency ?? latency
        settings.mono = mono
        amounts.set(&settings)
        return settings
    }
}

extension OpeningSettings.Mode: ExpressibleByArgument {}
extension OpeningSettings.Latency: ExpressibleByArgument {}
extension OpeningSettings.Mono: ExpressibleByArgument {}
