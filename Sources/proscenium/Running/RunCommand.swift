import ArgumentParser
import AudioIO
import Control
import Desk
import Desktop
import Foundation
import IMU
import Loading
import NSM
import SavedSessions
import Session
import Soundstage
import Stages
import Takes

/// `proscenium run`: runs a live session as a JACK client.
struct RunCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs as a JACK client: programme in, two ears out; the stage stands still while the head turns.",
        discussion: """
            Examples:
              proscenium run --layout 5.1 --head osc:9000 --connect-out physical
              proscenium run --layout 7.1.4 --head osc:9000 --device opentrack:4242 --record ears.wav

            Nothing is connected unless asked. Keys: \(SessionTerminal.sentence); ? shows them. OSC and 'proscenium ctl' do the same. On a PipeWire machine start the program as 'pw-jack proscenium run ...'.
            """)

    @OptionGroup var stage: StageOptions
    @OptionGroup(title: "Input") var more: MoreInputs
    @OptionGroup(title: "Renditions") var renditions: RenditionOptions
    @OptionGroup(title: "Head tracking") var tracking: TrackingOptions
    @OptionGroup(title: "Head tracking") var replay: ReplayedMotion
    @OptionGroup(title: "JACK") var place: ClientPlace
    @OptionGroup(title: "JACK") var stream: StreamOptions
    @OptionGroup(title: "JACK") var routes: RouteOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "Session") var kept: KeptSession
    @OptionGroup(title: "Listening") var listening: ParameterOptions<ListeningRows>
    @OptionGroup(title: "Control") var doors: DoorOptions
    @OptionGroup(title: "Control") var surfaces: SurfaceOptions
    @OptionGroup(title: "Control") var pedal: PedalOption
    @OptionGroup var former: OverwriteOption
    @Flag(help: "No status line and no keys.") var quiet = false
    @OptionGroup var desktop: DesktopOption

    func check() throws {
        guard (replay.poses == nil && replay.motion == nil) || (tracking.head == "none" && tracking.device == "none")
        else {
            throw ValidationError("--poses or --motion and --head or --device exclude each other")
        }
        guard replay.poses == nil || replay.motion == nil else {
            throw ValidationError("--poses and --motion exclude each other")
        }
    }

    func run() async throws {
        let interrupt = Interrupt()
        let introduction = NSMIntroduction(
            application: "proscenium", executable: CommandLine.arguments[0], process: getpid())
        switch await NSMLink.join(as: introduction) {
        case .unasked: break
        case .alone(let reason): say("session manager: \(reason); this session goes on without one")
        case .managed(let link, let manager, let welcome):
            say("session manager: \(manager): \(welcome)")
            return try await ManagedRun(interrupt, link) { try Self.managed($0, interrupt, tell: $1) }.serve()
        }
        try await play(interrupt)
        if interrupt.isRequested { throw ExitCode(130) }
    }

    /// Returns the function that plays the manager's session. `own`: texts of the options that name this session, which
    /// override typed ones. `tell` is called for each part of the session that is missing on this machine.
    private static func managed(
        _ own: [String: String], _ interrupt: Interrupt, tell: (String) -> Void
    ) throws -> ManagedRun.Play {
        guard let command = try Defaults.parse(TypedWords.all, own: own, asks: false, tell: tell) as? RunCommand else {
            throw Failure(.usage, "a session manager starts 'proscenium run' alone")
        }
        if let folder = command.kept.session.map(SessionDocument.folder) { _ = try SessionFiles.plugins(in: folder) }
        return { try await command.play(interrupt, for: $0) }
    }

    /// Plays until the session ends.
    func play(_ interrupt: Interrupt, for patron: SessionPatron? = nil) async throws {
        let tells = { @Sendable (remark: SessionRemark) -> Void in patron?.tells(remark) }
        var sound = try stage.settings(latency: .live)
        guard sound.programmes.camera == nil else {
            throw Failure(
                .usage,
                "'run' plays no file that a path of the camera could follow: give --camera-heading in degrees, and turn it "
                    + "by 'ctl camera-heading'"
            )
        }
        sound.programmes.inputs = try more.input.map { try InputSettings(parsing: $0) }
        sound.programmes.renditions = renditions.settings
        var settings = LiveSettings(
            stage: sound, tracking: tracking.settings, poses: replay.poses, midiControl: pedal.midiControl,
            motion: replay.motion, name: place.name, connectOut: place.connectOut, connectIn: stream.connectIn,
            record: recording.record, recordPoses: recording.recordPoses, recordMotion: recording.recordMotion,
            start: stream.start, onRouteLoss: routes.onRouteLoss)
        settings.replacement = try former.settle(
            [recording.record, recording.recordPoses, recording.recordMotion],
            keeping: [replay.poses, replay.motion])
        settings.listening = listening.changes
        let desktop = try desktop.session(&settings)
        // Last values are not used with a session's folder, which holds its own values, nor with a motion log.
        if kept.session == nil, replay.motion == nil {
            settings.last = LastValuesRequest(
                folder: LastValues.folder, isFresh: kept.fresh,
                typed: TypedAddresses(of: (desktop?.typed ?? .all).kept))
        }
        settings.isWanted = { !interrupt.isRequested }
        settings.stage.reader = ChildReader(isWanted: settings.isWanted)
        settings.stage.keepsRooms = true
        let lock = try takeUp(kept.session.map(SessionDocument.folder), &settings, patron?.lock)
        LineOutput.standardError.waitBriefly()
        TemporaryFolder.removeStale()
        let desk = SessionDesk()
        let surface = try surfaces.open(desk, inputs: ["main"] + sound.programmes.inputs.map(\.name))
        defer { surface?.close() }
        settings.events = surface?.midi
        let doors = try await doors.open(
            desk, name: place.name, session: kept.session.map(SessionDocument.folder))
        let service = ServiceNotifier(environment: ProcessInfo.processInfo.environment)
        let tell = Preparation().tell
        let remarks = { @Sendable (remark: SessionRemark) -> Void in
            tell(remark)
            tells(remark)
            service?.tell(remark)
        }
        let live: LiveSession
        do {
            var environment = SessionEnvironment(desk: desk) {
                remarks($0)
            } ask: {
                desk.commands.submit($0) { _ in }
            }
            environment.beat = { service?.beat(at: $0) }
            live = try await LiveSession(settings, in: environment)
        } catch {
            await doors.close()
            throw error
        }
        if patron == nil { interrupt.tell { Task { await live.quit() } } }
        live.sit(at: desk)
        let introduction = await live.introduction
        for line in introduction { say(line) }
        if let stage = introduction.first { service?.tell(status: stage) }
        for line in doors.remarks + (surface?.begin() ?? []) { say(line) }
        let folder: SessionFolder?
        do {
            folder = try await keep(live, at: desk, lock, isOurs: patron == nil) { remark in
                tells(remark)
                if case .note(let text) = remark { Terminal.tell([text]) }
            }
        } catch {
            await doors.close()
            try await live.end()
            throw error
        }
        let keeper = LastValuesKeeper(live, at: desk) { if case .note(let text) = $0 { Terminal.tell([text]) } }
        await keeper.open()
        if let patron { await patron.begun(live, folder) }
        let wires: DesktopKeeper?
        do { wires = try desktop?.keeper { remarks(.note($0)) } } catch {
            await doors.close()
            try await live.end()
            throw error
        }
        let terminal = quiet ? nil : SessionTerminal.terminal(live, desk)
        terminal?.open()
        let outcome: Result<Void, any Error>
        do {
            try await live.waitForEnd()
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        service?.stop()
        wires?.end()
        terminal?.close()
        // The session has ended: from now on commands are refused.
        await doors.close()
        await keeper.close()
        let saving: Result<Void, any Error>
        do {
            try await folder?.close()
            saving = .success(())
        } catch {
            saving = .failure(error)
        }
        try await live.end()
        try outcome.get()
        try saving.get()
    }
}

extension RunCommand {
    /// Adds a session folder's content to the settings and locks the folder. Returns `lock`, or else a new lock; nil
    /// without a folder, and for a template, which is not saved.
    private func takeUp(
        _ folder: String?, _ settings: inout LiveSettings, _ lock: SessionLock?
    ) throws -> SessionLock? {
        guard let folder else { return nil }
        let saved = try SessionDocument(folder: folder) ?? SessionDocument()
        settings.stage.plugins = try stage.plugins.chains(in: folder, typed: .all)
        settings.stage.isForgiving = true
        settings.former = saved.former(but: TypedAddresses(of: TypedOptions.all.kept))
        settings.reconnects = !saved.links.isEmpty
        SavedTrackers.bring(saved, to: TrackerMemory()) { say("session: \($0)") }
        guard !saved.isTemplate else { return nil }
        if let lock { return lock }
        return try SessionLock(folder, by: place.name)
    }

    /// Applies the rest of the folder's content to the session, and saves the session there from now on; nil without a
    /// folder, and for a template. `isOurs`: whether changes are saved without a request.
    private func keep(
        _ live: LiveSession, at desk: SessionDesk, _ lock: SessionLock?, isOurs: Bool,
        tell: @escaping @Sendable (SessionRemark) -> Void
    ) async throws -> SessionFolder? {
        guard let said = kept.session else { return nil }
        let path = SessionDocument.folder(said)
        if try SessionDocument(folder: path)?.isTemplate == true {
            say(
                "session: \(path) holds options only, and the session is not saved into it; begin another with --session and a folder of its own"
            )
            return nil
        }
        let folder = try SessionFolder(
            path, of: live, at: desk, options: TypedOptions.all.kept, lock: lock, autosaves: isOurs, tell: tell)
        await folder.open()
        return folder
    }
}
