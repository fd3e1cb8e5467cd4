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
    var upmixLatency: UpmixSettings.Latency?
    @Option(help: "Where an upmixed programme in one channel goes: centre or wide.")
    var mono: UpmixSettings.Mono = .centre
    @Option(help: ArgumentHelp("How much of the middle the upmix gives to the centre, 0 to 1.", valueName: "amount"))
    var centre: Double = 1
    @Option(help: ArgumentHelp("How much of the front it wraps round to the sides, 0 to 1.", valueName: "amount"))
    var width: Double = 0
    @Option(help: ArgumentHelp("How much of the ambience it gives to the surrounds, 0 to 1.", valueName: "amount"))
    var ambience: Double = 1

    /// Checks ranges that the types do not.
    func validate() throws {
        for (name, value) in [("--centre", centre), ("--width", width), ("--ambience", ambience)]
        where !(0...1).contains(value) {
            throw ValidationError("\(name) must lie between 0 and 1, not \(value)")
        }
    }

    /// The same, as Session takes it; `latency` unless chosen.
    func settings(latency: UpmixSettings.Latency) -> OpeningSettings {
        var settings = OpeningSettings()
        settings.mode = upmix == .identity ? .identity : upmix == .energy ? .energy : nil
        settings.isOff = upmix == .off
        settings.layout = upmixTo
        settings.latency = upmixLatency ?? latency
        settings.mono = mono
        (settings.centre, settings.width, settings.ambience) = (centre, width, ambience)
        return settings
    }
}
