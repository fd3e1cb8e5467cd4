import ArgumentParser
import Foundation
import Loading
import Offline
import Session
import Soundstage
import Stages

/// `proscenium process`: converts a programme from one layout to another, without binaural rendering.
struct ProcessCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "process",
        abstract: "Renders a sound file to another loudspeaker layout, a stereo fold-down or ambisonics, without HRTF.",
        discussion: """
            Examples:
              proscenium process film.wav film.flac
              proscenium process film.wav stereo.wav --to stereo --fit
              proscenium process film.wav stereo.wav --to stereo --loudness-target -23
              proscenium process film.wav ltrt.wav --to stereo --fold-down ltrt
              proscenium process film.wav phones.wav --to stereo --headphone-eq phones.txt --fit
              proscenium process bed.wav field.wav --layout 7.1.4 --to ambi3
              proscenium process take.wav take.amb --layout ambi1
              proscenium process song.wav stage.wav --upmix energy --upmix-to 7.1.4 --to 9.1.6
              proscenium process take.wav film.wav --layout ambi1 --mix cinematic --mix-intensity 0.7 --to 5.1

            A channel whose loudspeaker exists in the output is copied bit for bit; others are panned with constant power. Stereo is the \
            fold-down of ITU-R BS.775, not normalised: --fit lowers it where it would exceed full scale, --loudness-target \
            brings it to a loudness. The LFE channel goes to the LFE \
            channel of the output, if it has one. --headphone-eq is for stereo that is heard through headphones.
            """)

    @OptionGroup var files: ProgrammeFiles
    @Option(
        help: ArgumentHelp(
            "The layout to render to: \(StageSettings.layoutNames.joined(separator: ", ")), or a JSON file (default: that of the file, or of --upmix-to).",
            valueName: "layout"), completion: .layouts)
    var to: String?
    @OptionGroup var source: InputFileOptions
    @OptionGroup var steady: SteadyOption
    @Option(
        help:
            "Channel ordering and normalisation of a sound field in the output: sn3d (AmbiX; default), n3d or fuma (default in B-format, .amb)."
    )
    var toAmbisonics: AmbisonicFormat.Convention?
    @Option(parsing: .unconditional, help: ArgumentHelp("Gain of the output in dB.", valueName: "dB"))
    var gain = DecibelArgument(0)
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Gain at which the LFE channel is added to the other channels if the output has no LFE (BS.775: +10 in band).",
            valueName: "dB"))
    var lfeGain: DecibelArgument?
    @OptionGroup(title: "Fold-down") var fold: FoldOptions
    @Flag(help: "Lower the gain where peaks would exceed full scale; reads the file twice.") var fit = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bring the output to this integrated loudness (ITU-R BS.1770; reads the file twice): LUFS (-60 to 0), line (-31), rf (-20) or off. A true peak above -1 dBTP lowers the gain; the report states by how much.",
            valueName: "LUFS|line|rf|off"), completion: .list(["line", "rf", "off"]))
    var loudnessTarget: LoudnessTarget?
    @OptionGroup(title: "Upmix") var upmix: UpmixOptions
    @OptionGroup(title: "Upmix") var amounts: ParameterOptions<UpmixRows>
    @OptionGroup(title: "Audio Mix of a sound field") var mix: MixOptions
    @OptionGroup(title: "Plugins") var plugins: PluginOptions
    @OptionGroup(title: "Headphones") var headphones: HeadphoneOptions
    @OptionGroup(title: "Section") var section: SectionOptions
    @OptionGroup(title: "Input without a header") var raw: RawOptions
    @OptionGroup(title: "Output") var written: OutputOptions
    @Flag(help: "Print a report as JSON.") var json = false

    func check() throws {
        for (name, value) in [("--gain", gain.value), ("--lfe-gain", lfeGain?.value ?? 0)]
        where !value.isFinite || !(-120...40).contains(value) {
            throw ValidationError("\(name) must lie between -120 and 40 dB, not \(value)")
        }
        guard toAmbisonics == nil || to.flatMap(Layout.ambisonicOrder) != nil else {
            throw ValidationError(
                "--to-ambisonics has no effect \(to.map { "with --to \($0)" } ?? "without --to"); "
                    + "it is for sound fields, ambi1 to ambi7")
        }
    }

    func run() async throws {
        // Only a note: the option may be a default for other commands.
        if upmix.upmix == nil || upmix.upmix == .off,
            let idle = upmix.manner ?? amounts.changes.first.map({ "--\($0.parameter.id)" })
        {
            say("note: \(idle) has no effect without --upmix")
        }
        if !headphones.settings.isNone, let to, (try? Layout.named(to))?.name != "stereo" {
            say("note: --headphone-eq has no effect with --to \(to); it is for the two channels of --to stereo")
        }
        if loudnessTarget?.loudness != nil {
            for (name, isGiven) in [("--gain", gain.value != 0), ("--fit", fit)] where isGiven {
                say("note: \(name) has no effect with --loudness-target, which sets the gain")
            }
        }
        var upmix = upmix.settings(latency: .player)
        upmix.take(amounts.changes)
        var stage = source.stage(gain: gain.value)
        stage.plugins = try plugins.requests
        stage.headphones = headphones.settings
        steady.apply(to: &stage)
        try mix.apply(to: &stage)
        var settings = ProcessSettings(
            stage: stage, input: "", output: "", target: to, targetAmbisonics: toAmbisonics,
            written: written.choice,
            order: source.order,
            lfeGain: lfeGain?.value, fold: fold.settings, fits: fit, loudness: loudnessTarget, upmix: upmix,
            stems: mix.places.stems,
            excerpt: section.excerpt)
        settings.reading = raw.reading(rate: written.rate)
        let chosen = settings
        try refuseSharedFiles()
        try await reportAll("process", files, written, json: json) { pair, written, progress throws(SessionError) in
            var settings = chosen
            (settings.input, settings.output, settings.written) = (pair.input, pair.output, written)
            return try OfflineSession.process(settings, progress: progress)
        }
    }

    /// Throws for options that name one file for all programmes.
    private func refuseSharedFiles() throws {
        guard files.toFolder != nil else { return }
        if mix.places.stems != nil { throw Failure(.usage, "--stems is for one file; leave out --to-folder") }
    }
}
