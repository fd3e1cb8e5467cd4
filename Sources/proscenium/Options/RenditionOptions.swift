import ArgumentParser
import Session
import Stages

/// Options of `run` for two renditions of the main programme and for interrupted sound.
struct RenditionOptions: ParsableArguments {
    @Flag(
        help: "Two more ports, in_stereo_L and in_stereo_R, take the main programme in stereo; see 'ctl rendition'.")
    var stereoRendition = false

    @Option(
        help: ArgumentHelp(
            """
            Look-ahead, as latency, in which sound that breaks off is faded before its end. The inputs are then clients of \
            their own, NAME-main and so on, a period later: no feeder that dies holds up the stage.
            """, valueName: "ms"))
    var hold: String = "0ms"

    @Option(
        help: ArgumentHelp(
            "Latency kept in reserve with --stereo-rendition, to meet stereo that comes later by up to this.",
            valueName: "ms"))
    var align: String = "20ms"

    func validate() throws {
        for (name, text) in [("--hold", hold), ("--align", align)] where RenditionSettings.seconds(parsing: text) == nil
        {
            throw ValidationError("\(name) takes 0 to 500 ms, as 20ms; not '\(text)'")
        }
    }

    /// The options as Session's settings.
    var settings: RenditionSettings {
        RenditionSettings(
            hasStereo: stereoRendition, hold: RenditionSettings.seconds(parsing: hold) ?? 0,
            alignment: RenditionSettings.seconds(parsing: align) ?? 0)
    }
}
