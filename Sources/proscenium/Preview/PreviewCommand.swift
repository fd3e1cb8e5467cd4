import ArgumentParser
import Control
import Desk
import Foundation
import Loading
import Preview
import Session
import Soundstage
import Stages
import Synchronization
import Takes

/// `proscenium preview`: plays files through the stage and JACK, with keys.
struct PreviewCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Plays sound files through the stage and JACK, with seek, pause and head tracking.",
        discussion: """
            Examples:
              proscenium preview film.wav --connect-out physical
              proscenium preview song.flac bed.wav --room none --head osc:9000 --connect-out physical

            Keys: \(PreviewTerminal.sentence); ? shows them. \
            Files at another rate than JACK's are converted. The command ends with the last file. 'ctl seek', 'ctl pause' and \
            'ctl skip' control it from another terminal. Loudness, compression, place and width of a file (FILE.json) are applied \
            as in 'render'. If they or the layout differ from those of the previous file, the stage is built anew.
            """)

    @Argument(help: "The programmes: any format libsndfile reads.", completion: .file()) var files: [String]
    @OptionGroup var stage: StageOptions
    @OptionGroup var channels: OrderOption
    @OptionGroup var steady: SteadyOption
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin at this time of the first file: seconds, or [HH:]MM:SS[.mmm].", valueName: "time"))
    var from: String?
    @Flag(help: "Repeat the list of files.") var loop = false

    @OptionGroup(title: "Head tracking") var tracking: TrackingOptions

    @OptionGroup var client: ClientOptions
    @Option(
        help: ArgumentHelp(
            "Record the ears as they are played. Each further stage that is built goes into a file of its own: NAME-2.EXT, NAME-3.EXT.",
            valueName: "file"),
        completion: .file())
    var record: String?
    @OptionGroup(title: "Control") var doors: DoorOptions

    func check() throws {
        guard !files.isEmpty else { throw ValidationError("name at least one file") }
        do throws(SoundTime.Failure) { _ = try from.map(SoundTime.init) } catch {
            throw ValidationError("--from \(error.description)")
        }
    }

    func run() async throws {
        let interrupt = Interrupt()
        var live = LiveSettings(
            stage: try stage.settings(room: "studio"), tracking: tracking.settings, name: client.place.name,
            connectOut: client.place.connectOut,
            record: record)
        live.replacement = try client.former.settle([record], keeping: files)
        steady.apply(to: &live.stage)
        live.isWanted = { !interrupt.isRequested }
        live.stage.reader = ChildReader(isWanted: live.isWanted)
        live.stage.keepsRooms = true
        LineOutput.standardError.waitBriefly()
        TemporaryFolder.removeStale()
        let desk = SessionDesk()
        let commands = desk.commands
        let preview = try PreviewSession(
            PreviewSettings(
                live: live, files: files, order: channels.order, loops: loop,
                from: from.flatMap { try? SoundTime($0).seconds } ?? 0),
            in: SessionEnvironment(desk: desk, tell: Preparation().tell))
        let doors = try await doors.open(desk, name: client.place.name)
        let unsaid = Mutex(doors.remarks)
        // The user may quit before the first file plays.
        commands.serve { await preview.perform($0, in: nil) }
        interrupt.tell { Task { await preview.quit() } }
        for line in await preview.remarks { say(line) }
        let terminal = client.quiet ? nil : PreviewTerminal.terminal(preview, commands)
        terminal?.open()
        let outcome: Result<Void, any Error>
        do {
            try await preview.play { session in
                for line in await session.introduction { say(line) }
                for line in unsaid.withLock({ lines in
                    defer { lines = [] }; return lines
                }) { say(line) }
                session.sit(at: desk)
                commands.serve { await preview.perform($0, in: session) }
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        terminal?.close()
        await doors.close()
        for line in await preview.closing { say(line) }
        try outcome.get()
        if interrupt.isRequested { throw ExitCode(130) }
    }
}
