import ArgumentParser
import Session
import Stages

/// Options of `run` for two renditions of the main programme and for interrupted sound.
struct RenditionOptions: CheckedOptions {
    @Flag(
        help: "Add ports in_stereo_L and in_stereo_R, for the main programme in stereo; see 'ctl rendition'.")
    var stereoRendition = false

    @Option(
        help: ArgumentHelp(
            """
            Look-ahead, in which sound that breaks off is faded out before its end. It adds the same latency. The inputs are \
            then JACK clients of their own, as NAME-main, which the stage reads a period later. If a program that feeds \
            them is killed, the stage continues.
            """, valueName: "ms"))
    var hold: String = "0ms"

    @Option(
        help: ArgumentHelp(
            "With --stereo-rendition: greatest delay of the stereo rendition that is aligned; it adds the same latency.",
            valueName: "ms"))
    var align: String = "20ms"

    func check() throws {
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
