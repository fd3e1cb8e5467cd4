import ArgumentParser
import Session

/// How far stereo is opened, shared by all that open it.
struct OpeningAmounts: ParsableArguments {
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

    /// Hands them on.
    func set(_ settings: inout OpeningSettings) {
        (settings.centre, settings.width, settings.ambience) = (centre, width, ambience)
    }
}
