import ArgumentParser
import Foundation
import Loading
import Offline
import SavedSessions
import Session
import Soundstage
import Stages

/// `proscenium render`: renders a file to binaural sound with the live engine.
struct RenderCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Renders a sound file to two ears, offline, with the engine that plays live.",
        discussion: """
            Examples:
              proscenium render mix.wav ears.wav
              proscenium render film.wav ears.wav --layout 5.1 --hrtf my.sofa --poses poses.csv
              proscenium render film.wav ears.wav --from 1:30 --duration 20

            Poses are a CSV of t,w,x,y,z: seconds of sound time, then the rotation from head to stage. The first and the last pose \
            are held. The output is 32-bit float WAV \
            (--bits and the extension .flac, .aif, .caf or .w64 choose another format) and appears under its name only when complete.
            """)

    @OptionGroup var files: ProgrammeFiles
    @OptionGroup var stage: StageOptions

    @OptionGroup var channels: OrderOption
    @OptionGroup var steady: SteadyOption

    @OptionGroup(title: "Section") var section: SectionOptions
    @OptionGroup(title: "Input without a header") var raw: RawOptions

    @OptionGroup(title: "Output") var written: OutputOptions

    @Option(help: ArgumentHelp("Head yaw in degrees, positive left.", valueName: "degrees")) var yaw: Double = 0
    @Option(help: ArgumentHelp("Head pitch in degrees, positive up.", valueName: "degrees")) var pitch: Double = 0
    @Option(help: ArgumentHelp("Head roll in degrees, positive right ear down.", valueName: "degrees")) var roll:
        Double = 0
    @Option(
        help: ArgumentHelp("Head poses over sound time, instead of yaw, pitch and roll.", valueName: "csv"),
        completion: .file())
    var poses: String?
    @Option(
        help: ArgumentHelp(
            "Head motion from a log of 'run --record-motion'; with the same programme the samples are those of the session.",
            valueName: "log"),
        completion: .file())
    var motion: String?
    @Option(
        help: ArgumentHelp(
            "Frames per period, as of JACK, 1 to 8192 (default: the motion log's, else 1024).",
            valueName: "frames"))
    var block: Int?
    @Flag(help: "End with the input, without the decay of the filters.")
    var noTail = false
    @OptionGroup(title: "Output") var places: StemsOption
    @Option(
        help: ArgumentHelp("A session folder whose options are the defaults.", valueName: "dir"), completion: .directory
    )
    var session: String?
    @Flag(help: "Print a report as JSON.") var json = false

    func check() throws {
        if let block, !(1...8192).contains(block) {
            throw ValidationError("--block must lie between 1 and 8192, not \(block)")
        }
        for (name, angle) in [("yaw", yaw), ("pitch", pitch), ("roll", roll)] where !(-720...720).contains(angle) {
            throw ValidationError("--\(name) takes degrees from −720 to 720, not \(angle)")
        }
        guard (poses == nil && motion == nil) || (yaw == 0 && pitch == 0 && roll == 0) else {
            throw ValidationError("--poses or --motion and --yaw, --pitch, --roll exclude each other")
        }
        guard motion == nil || stage.programmes.mixing.file("camera-heading") == nil else {
            throw ValidationError("--motion replays the turns of the camera; leave out the file of --camera-heading")
        }
        guard poses == nil || motion == nil else { throw ValidationError("--poses and --motion exclude each other") }
    }

    func run() async throws {
        var stage = try stage.settings()
        steady.apply(to: &stage)
        let saved = try session.map {
            try RenderedSession(folder: SessionDocument.folder($0), self.stage.plugins, typed: .all)
        }
        for remark in saved?.remarks ?? [] { say("session: \(remark)") }
        if let plugins = saved?.plugins { (stage.plugins, stage.isForgiving) = (plugins, true) }
        var settings = RenderSettings(
            stage: stage, input: "", output: "", written: written.choice, order: channels.order,
            yaw: yaw,
            pitch: pitch, roll: roll,
            poses: poses, motion: motion, block: block, tail: !noTail, stems: places.stems,
            excerpt: section.excerpt)
        settings.reading = raw.reading(rate: written.rate)
        settings.values = saved?.values ?? []
        let chosen = settings
        try refuseSharedFiles()
        try await reportAll("render", files, written, json: json) { pair, written, progress throws(SessionError) in
            var settings = chosen
            (settings.input, settings.output, settings.written) = (pair.input, pair.output, written)
            return try OfflineSession.render(settings, progress: progress)
        }
    }

    /// Throws for options that name one file for all programmes.
    private func refuseSharedFiles() throws {
        guard files.toFolder != nil else { return }
        if places.stems != nil { throw Failure(.usage, "--stems is for one file; leave out --to-folder") }
    }
}
