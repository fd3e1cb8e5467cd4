import ArgumentParser
import Foundation
import Session

/// `proscenium upmix`: a stereo file opens into a stage.
struct UpmixCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upmix",
        abstract: "Opens a stereo (or mono) file into 5.1 or a wider layout, aligned with it and as long.",
        discussion: """
            Examples:
              proscenium upmix song.wav stage.wav
              proscenium upmix song.wav stage.wav --mode energy --layout 7.1.4

            'identity' keeps the ITU downmix: folded down to stereo, the output (with --decorrelate off) is the input. 'energy' keeps \
            the power instead. The LFE channel is silent.
            """)

    /// On or off.
    enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

    @Argument(help: "The programme, in one or two channels: any format libsndfile reads.") var input: String
    @Argument(help: "Where the stage goes.") var output: String
    @Option(help: "What is kept: identity (the downmix is the input) or energy (the power).")
    var mode: UpmixSettings.Mode = .identity
    @Option(help: "Masks as for a player (43 ms of look-ahead) or live (2 ms).")
    var latency: UpmixSettings.Latency = .player
    @Option(help: ArgumentHelp("How much of the middle goes to the centre, 0 to 1.", valueName: "amount"))
    var centre: Double = 1
    @Option(help: ArgumentHelp("How much of the front wraps round to the sides, 0 to 1.", valueName: "amount"))
    var width: Double = 0
    @Option(help: ArgumentHelp("How much of the ambience goes to the surrounds, 0 to 1.", valueName: "amount"))
    var ambience: Double = 1
    @Option(
        help: ArgumentHelp(
            "The layout: 5.1, 7.1, 5.1.2, 5.1.4, 7.1.2, 7.1.4 or 9.1.6.", valueName: "layout"))
    var layout: String = "5.1"
    @Option(help: "Whether the surrounds are decorrelated: on or off.") var decorrelate: Switch = .on
    @Option(help: "Where a file in one channel goes: centre or wide.") var mono: UpmixSettings.Mono = .centre
    @OptionGroup(title: "Output") var written: OutputOptions
    @Flag(help: "Print what was done as JSON.") var json = false

    func validate() throws {
        for (name, value) in [("--centre", centre), ("--width", width), ("--ambience", ambience)]
        where !(0...1).contains(value) {
            throw ValidationError("\(name) must lie between 0 and 1, not \(value)")
        }
    }

    func run() async throws {
        let interrupt = Interrupt()
        let progress = Progress("upmix")
        defer { progress.finish() }
        var settings = UpmixSettings(input: input, output: output)
        settings.layout = layout
        (settings.mode, settings.latency, settings.mono) = (mode, latency, mono)
        (settings.centre, settings.width, settings.ambience) = (centre, width, ambience)
        settings.decorrelates = decorrelate == .on
        settings.written = written.choice
        let report = try OfflineSession.upmix(settings, progress: progress.until(interrupt))
        progress.finish()
        if json {
            try JSONText.print(report)
        } else {
            for line in report.lines { say(line) }
        }
    }
}

extension UpmixSettings.Mode: ExpressibleByArgument {}
extension UpmixSettings.Latency: ExpressibleByArgument {}
extension UpmixSettings.Mono: ExpressibleByArgument {}
