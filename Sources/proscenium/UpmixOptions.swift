import ArgumentParser
import Session
import Soundstage

/// Options that decide whether and where stereo is upmixed, shared by `run`, `render` and `process`.
struct UpmixOptions: ParsableArguments {
    /// Which law is kept, or no upmix.
    enum Law: String, ExpressibleByArgument, CaseIterable { case off, identity, energy }

    @Option(
        help: ArgumentHelp(
            "Upmix stereo or mono into the stage: identity, energy (see 'upmix --help') or off.", valueName: "law"))
    var upmix: Law?
    @Option(
        name: .customLong("upmix-to"),
        help: ArgumentHelp("The layout that stereo is upmixed to, 5.1 or wider.", valueName: "layout"))
    var upmixTo: String = "5.1"
    @Option(
        name: .customLong("upmix-latency"),
        help: "Look-ahead of the upmix: live (2 ms) or player (43 ms); live in 'run', player elsewhere.")
    var upmixLatency: UpmixLatency?
    @Option(help: "Where an upmixed programme in one channel goes: centre or wide.")
    var mono: MonoPlacement = .centre

    /// The same, as Session takes it; `latency` unless chosen.
    func settings(latency: UpmixLatency) -> UpmixChoices {
        var settings = UpmixChoices()
        settings.mode = upmix.flatMap { UpmixMode(rawValue: $0.rawValue) }
        settings.isOff = upmix == .off
        settings.layout = upmixTo
        settings.latency = upmixLatency ?? latency
        settings.mono = mono
        return settings
    }
}

extension UpmixMode: ExpressibleByArgument {}
extension UpmixLatency: ExpressibleByArgument {}
extension MonoPlacement: ExpressibleByArgument {}
