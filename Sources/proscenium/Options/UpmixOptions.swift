import ArgumentParser
import Session
import Soundstage
import Stages

/// Options of the stereo upmix, shared by `run`, `render`, `preview` and `process`.
struct UpmixOptions: ParsableArguments {
    /// Law of the upmix, or `off`; `auto` decodes a file whose metadata say Lt/Rt, else uses `identity`.
    enum Law: String, ExpressibleByArgument, CaseIterable { case off, identity, energy, matrix, auto }

    @Option(
        help: ArgumentHelp(
            "Upmix stereo or mono into the stage: identity, energy, matrix for Lt/Rt (see 'upmix --help'), auto (matrix for a file whose metadata state Lt/Rt, else identity) or off.",
            valueName: "law"))
    var upmix: Law?
    @Option(
        help: ArgumentHelp("Layout of the upmix, 5.1 or wider (default: 5.1).", valueName: "layout"),
        completion: .layouts)
    var upmixTo: String?
    @Option(
        help: "Look-ahead of the upmix: live (2 ms) or player (43 ms); live in 'run', player elsewhere.")
    var upmixLatency: UpmixLatency?
    @Option(help: "Placement of an upmixed mono programme: centre (default) or wide.")
    var mono: MonoPlacement?

    /// The first of --upmix-to, --upmix-latency and --mono that is given; nil without any.
    var manner: String? {
        upmixTo != nil ? "--upmix-to" : upmixLatency != nil ? "--upmix-latency" : mono != nil ? "--mono" : nil
    }

    /// Returns the options as Session's choices. `latency`: look-ahead unless chosen.
    func settings(latency: UpmixLatency) -> UpmixChoices {
        var settings = UpmixChoices()
        settings.mode = upmix.flatMap { $0 == .auto ? .identity : UpmixMode(rawValue: $0.rawValue) }
        settings.followsMetadata = upmix == .auto
        settings.isOff = upmix == .off
        settings.layout = upmixTo ?? "5.1"
        settings.latency = upmixLatency ?? latency
        settings.mono = mono ?? .centre
        return settings
    }
}

extension UpmixMode: ExpressibleByArgument {}
extension UpmixLatency: ExpressibleByArgument {}
extension MonoPlacement: ExpressibleByArgument {}
