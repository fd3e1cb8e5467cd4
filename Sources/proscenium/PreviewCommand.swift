import ArgumentParser
import Control
import Foundation
import Session

/// `proscenium preview`: plays files through the stage and JACK, with keys.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Plays sound files through the stage and JACK, with seek, pause and head tracking.",
        discussion: """
            Examples:
              proscenium preview film.wav --connect-out physical
              proscenium preview song.flac bed.wav --room none --head osc:9000 --connect-out physical

            Keys: left and right move 5 s, down and up 60 s; space pauses; n and p go to the next and the previous file; \
            l repeats the list; + and - change the gain by 1 dB; o turns the room on and off; r recentres, f all axes; q quits. \
            Files at another rate than JACK's are converted. It ends with the last file. 'ctl seek', 'ctl pause' and 'ctl skip' do \
            the same from elsewhere. What is known of a file's loudness, compression, place and width (FILE.json) is followed as \
            'render' does; where it differs from the file before, as where the layout does, the stage is built anew.
            """)

    @Argument(help: "The programmes: any format libsndfile reads.") var files: [String]
    @OptionGroup(title: "Sound") var stage: StageOptions
    @Option(help: "Channel order where neither the file nor its metadata say: wave (default), smpte or film.")
    var order: RenderSettings.Order?
    @Option(help: ArgumentHelp("Begin so many seconds into the first file.", valueName: "seconds"))
    var from: Double = 0
    @Flag(help: "Repeat the list of files.") var loop = false

    @OptionGroup(title: "Head tracking") var tracking: TrackingOptions

    @Option(help: ArgumentHelp("JACK client name.", valueName: "name")) var name: String = "proscenium"
    @Option(
        name: .customLong("connect-out"),
        help: ArgumentHelp("Connect the ears: 'physical', or two ports as in 'run'.", valueName: "ports"))
    var connectOut: String?
    @Option(
        help: ArgumentHelp(
            "Record the ears as they are played; each further stage that is built into NAME-2.EXT, NAME-3.EXT and so on.",
            valueName: "file")) var record: String?
    @Option(help: ArgumentHelp("Where to listen for control (OSC over UDP), or none.", valueName: "[address:]port"))
    var control: String = String(ControlAddress.defaultPort)
    @Flag(help: "No status line and no keys.") var quiet = false

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("name at least one file") }
        guard from.isFinite, from >= 0 else { throw ValidationError("--from must be seconds ≥ 0, not \(from)") }
        guard control == "none" || ControlAddress(control) != nil else {
            throw ValidationError("--control takes [ADDRESS:]PORT or none, not '\(control)'")
        }
    }

    func run() async throws {
        let live = LiveSettings(
            stage: stage.settings(room: "studio"), tracking: tracking.settings, name: name, connectOut: connectOut,
            record: record)
        let preview = try PreviewSession(
            PreviewSettings(live: live, files: files, order: order, loops: loop, from: from))
        let interrupt = Interrupt { Task { await preview.perform(.quit) } }
        for line in await preview.remarks { say(line) }
        let desk = quiet ? nil : PreviewDesk.terminal(preview)
        desk?.open()
        let outcome: Result<Void, any Error>
        let servers = Servers(at: ControlAddress(control))
        do {
            try await preview.play { session in
                for line in await session.introduction { say(line) }
                try await servers.serve(session, preview)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await servers.stop()
        desk?.close()
        for line in await preview.closing { say(line) }
        try outcome.get()
        if interrupt.isWished { throw ExitCode(130) }
    }

    /// The control server of the session that plays: each act has its own session.
    private actor Servers {
        private let address: ControlAddress?
        private var server: ControlServer?

        init(at address: ControlAddress?) { self.address = address }

        func serve(_ session: LiveSession, _ preview: PreviewSession) async throws {
            await stop()
            guard let address else { return }
            server = try await ControlServer(at: address, events: session.events) {
                await preview.perform($0, in: session)
            }
        }

        func stop() async {
            await server?.stop()
            server = nil
        }
    }
}
