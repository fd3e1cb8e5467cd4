import AudioIO
import Desk
import Loading
import MotionLogs
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Takes
import Trackers

/// Opening the driver of a session, starting playback on the driver, and handling its events.
extension LiveSession {
    /// Opens a driver and builds a stage at the driver's rate. The stage does not play yet.
    static func open(
        _ settings: LiveSettings, _ layout: Layout, in environment: SessionEnvironment
    ) throws(SessionError) -> Stage {
        try settings.ensureWanted()
        let client: any StageDriver
        do throws(JACKError) { client = try environment.server.openStage(name: settings.name) } catch {
            throw SessionError(error)
        }
        return try make(settings, layout, for: client, in: environment)
    }

    /// Builds a stage for a driver. Closes the driver if the stage cannot be built.
    static func make(
        _ settings: LiveSettings, _ layout: Layout, for client: any StageDriver, in environment: SessionEnvironment
    ) throws(SessionError) -> Stage {
        do throws(SessionError) { return try built(settings, layout, for: client, in: environment) } catch {
            client.close()
            throw error
        }
    }

    /// Builds a stage for a driver. Leaves the driver open even if the stage cannot be built.
    static func built(
        _ settings: LiveSettings, _ layout: Layout, for client: any StageDriver, in environment: SessionEnvironment
    ) throws(SessionError) -> Stage {
        let motion = try RecordedMotion(motion: settings.motion, poses: settings.poses)
        let recording = motion?.recording
        let says = { environment.tell(.preparing($0)) }
        let standing = try settings.stage.standing(in: layout)
        let assembly = try StageAssembly(
            standing, layout: layout, set: try environment.fields(standing, client.sampleRate, says),
            poses: motion?.poses ?? .mailbox, period: client.periodFrames, says: says)
        let automation = recording?.automation(for: assembly.renderer.programmes) ?? []
        return Stage(
            client: client, layout: layout, settings: settings.stage, assembly: assembly,
            automation: automation.isEmpty ? nil : automation, pluginChanges: recording?.plugins ?? [])
    }

    /// Starts playback of the present stage.
    ///
    /// - Parameters:
    ///   - former: state left by a session that played another programme; nil without one.
    ///   - lost: stage of this session that the present stage replaces on another server. The outputs are then silent
    ///     until `restore`. Nil at the first start, at which the ports of the settings are connected if `former` is nil
    ///     too.
    func begin(after former: FormerSession? = nil, inPlaceOf lost: Stage? = nil) throws(SessionError) {
        let (client, renderer, isFirst) = (stage.client, stage.assembly.renderer, lost == nil)
        try settings.ensureWanted()
        do throws(SessionError) { try takes.beginLogs(of: stage) } catch {
            guard !isFirst else { throw error }
            takes.endLogs(error)
        }
        if !isFirst { renderer.gate.pointee.beginHeld() }
        holdIfLost(renderer)
        // All settings are in force from the first frame.
        tellSwitches(stage.assembly)
        try beginDynamics()
        if let lost { askInputs(of: stage, asThoseOf: lost) }
        beginMonitor()
        if isFirst {
            for change in settings.listening { if case .refused(let reason) = set(change) { note(reason) } }
            takeUp(former)
        }
        applyInterruptions()
        stage.automation.map(renderer.follow)
        stage.assembly.plugins.follow(stage.pluginChanges)
        settings.events.map(client.attach)
        do throws(JACKError) {
            try client.open(monitoring.inputs)
            try client.activate(
                renderer: renderer, inputs: stage.assembly.ports, start: settings.start,
                mutesOnRouteLoss: settings.onRouteLoss.mutes)
            // After another session, outputs that the user connected elsewhere or disconnected stay so.
            if isFirst, former == nil {
                if let pattern = settings.connectOut { try client.connectOutputs(to: pattern) }
                if let pattern = settings.connectIn { try client.connectInputs(from: pattern) }
            }
        } catch {
            throw SessionError(error)
        }
        try takes.beginSound(of: client, waitsForStart: settings.start != .firstCycle, isFirst: isFirst)
        startWatches()
        enterPoses()
        beginMetering()
        if let former { restore(former.ears, of: former.client, isBack: false) }
        // The stream of events, and thus the task, ends when the driver is closed.
        server.listening = Task { [weak self] in
            for await event in client.events { await self?.handle(event, of: client) }
        }
    }

    /// Copies the controls of the former stage's inputs to the inputs of the same names, but not the measured match of
    /// renditions, which holds for the former stage only.
    func askInputs(of stage: Stage, asThoseOf former: Stage) {
        for input in stage.assembly.renderer.programmes {
            guard let wanted = former.input(input.programme.name)?.controls else { continue }
            input.change {
                $0 = wanted
                $0.renditions.match = RenditionMatch()
            }
        }
    }

    /// Undoes a `begin` if it or a later step of the start has failed. Closes the driver.
    func abandon() {
        server.listening?.cancel()
        feed.attach([])
        takes.discard(stage.client)
        endMetering()
        stage.client.close()
        stopWatches()
    }

    /// Starts to compare the renditions of every programme that has two. Ends the comparisons of a former stage.
    func startWatches() {
        stopWatches()
        for (index, programme) in stage.assembly.renderer.programmes.enumerated() {
            guard
                let watch = RenditionWatch(
                    programme, field: stage.assembly.field,
                    lowFrequencyGain: Float(Decibels(settings.stage.lfeGain).amplitude))
            else { continue }
            do throws(WorkerError) { try watch.start() } catch {
                note("the renditions of '\(programme.programme.name)' are not compared: \(error)")
                continue
            }
            sound.watches[index] = watch
        }
    }

    func stopWatches() {
        for watch in sound.watches.values { watch.stop() }
        sound.watches = [:]
    }

    // MARK: While it plays

    /// Runs every 50 ms, or every 250 ms in a quiet session: records poses, sets the playback lead, handles changes
    /// without an event. During an outage it searches for the server instead. Returns the number of 50 ms intervals
    /// until the next run.
    func tick() -> Int {
        defer { enterState() }
        environment.beat?(environment.clock.now)
        guard outage == nil else {
            lookForServer()
            return 1
        }
        let client = stage.client
        // A block computed in the coming period starts within one period, and is heard after the latency of playback,
        // here at least one period.
        let period = client.periodFrames
        feed.setPlaybackLead(client.sampleRate.seconds(frames: period + max(period, client.playbackLatency)))
        lookAtLatency(client.sampleRate.seconds(frames: client.playbackLatency))
        lookAtLag()
        lookAtLoad()
        takes.follow(stage)
        lookAtPlayback()
        lookAtTransition()
        mirrorAll()
        lookAtPlugins()
        lookAtTransport()
        lookAtScale()
        lookAway()
        connectReturning()
        life.isResting = isQuiet
        let intervals = life.isResting ? 5 : 1
        playback.looks += intervals - 1
        return intervals
    }

    /// With a head tracker, notes once that the sound is heard over 60 ms late, for example through Bluetooth
    /// headphones. After the latency has been below 50 ms, the note is repeated when it exceeds 60 ms again.
    private func lookAtLatency(_ seconds: Double) {
        guard feed.head != nil else { return }
        if seconds < 0.05 { server.hearsLate = false }
        guard seconds > 0.06, !server.hearsLate else { return }
        server.hearsLate = true
        note(
            "the sound is heard \(Int((seconds * 1000).rounded())) ms late, by the latency of the outputs (Bluetooth has 100 "
                + "to 300 ms): turns of the head are predicted over that time, and their ends overshoot; a wired output is "
                + "heard within 20 ms")
    }

    /// Adds the newest period to the load's mean and maximum.
    private func lookAtLoad() {
        guard let telemetry = stage.assembly.renderer.telemetry() else { return }
        let load = telemetry.load(at: stage.client.sampleRate)
        sound.load.look(load, ofPeriod: telemetry.periods, at: environment.clock.now)
    }

    /// If the settings request it, notes new steps of the lag between programme and ears, at most once a second, with
    /// the total count.
    private func lookAtLag() {
        guard settings.tellsLag else { return }
        let (steps, told) = (stage.client.lagSteps, server.toldLag)
        // A new client counts from 0.
        if steps.count < told.count { server.toldLag = LagSteps() }
        guard steps.count > server.toldLag.count, environment.clock.now - server.lagToldAt >= 1 else { return }
        let new = LagSteps(
            count: steps.count - server.toldLag.count,
            skippedFrames: steps.skippedFrames - server.toldLag.skippedFrames,
            emptyFrames: steps.emptyFrames - server.toldLag.emptyFrames)
        (server.toldLag, server.lagToldAt) = (steps, environment.clock.now)
        note(
            "the delay of the sound changed \(new.count == 1 ? "once" : "\(new.count) times"): "
                + "\(new.skippedFrames) frames were skipped, \(new.emptyFrames) had no input; "
                + "\(steps.count) changes so far"
        )
    }

    /// Notes the time of a command or event. If the timer has the interval of a quiet session, starts its next run now.
    func lookSoon() {
        life.lastChange = environment.clock.now
        guard life.isResting else { return }
        life.isResting = false
        life.looking?.hurry()
    }

    /// Whether the session is quiet: no command or event within a second, no transition, no other stage, no print, no
    /// plugin, no motion or pose log, no interruption, and no closed output gate.
    private var isQuiet: Bool {
        environment.clock.now - life.lastChange > 1 && staging.transition == nil && staging.others.isEmpty
            && stage.print == nil && stage.assembly.plugins.isEmpty
            && !takes.logsMotion && playback.interruptions.all.isEmpty
            && stage.assembly.renderer.gate.pointee.isOpen
    }

    /// Handles an event of a driver. Ignores events of a former driver; during an outage, ignores those of connections,
    /// lost routes and rates.
    func handle(_ event: JACKEvent, of client: any StageDriver) {
        guard client === stage.client else { return }
        defer { lookSoon() }
        switch event {
        case .periodChanged, .xrun: break
        case .periodTooLong(let frames, let limit):
            note("the JACK period is now \(frames) frames; silence until it is at most \(limit)")
        case .freewheel(let on): server.freewheeling = on
        case .rateChanged(let hertz): if outage == nil { reopen(at: hertz) }
        case .connectionsChanged: if outage == nil { connectionsChanged() }
        case .routeLost(let links): if outage == nil { routeLost(links) }
        case .serverLost(let reason): serverLost(reason)
        case .recordingFailed(let error): takes.fail(error)
        case .recordingOverflow(let dropped): takes.lose(dropped)
        }
    }
}
