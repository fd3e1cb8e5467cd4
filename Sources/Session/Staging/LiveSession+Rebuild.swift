import AudioIO
import Desk
import Foundation
import Loading
import Racks
import Rendering
import Signal
import Stages
import Synchronization
import Trackers

/// Replacement of the heard stage while it plays.
extension LiveSession {
    /// Builds the stage anew with other choices, and returns when the new stage is heard. Another headphone
    /// equalisation alone needs no new stage. Commands to inputs and monitor section are carried out meanwhile.
    ///
    /// - Parameter hasRoom: whether the command requests a room, which is then switched on.
    func rebuild(hasRoom: Bool = false, _ change: (inout StageChoices) -> Void) async -> SessionReply {
        var wanted = stage.settings
        change(&wanted.choices)
        guard wanted.choices != stage.settings.choices else {
            if hasRoom, stage.assembly.room != nil { return setRoom(.word("on")) }
            return .done
        }
        if let reply = await takeHeadphones(of: wanted) { return reply }
        return await take(wanted, scene: staging.scene, keepsFormer: false, hasRoom: hasRoom)
    }

    /// Builds a stage of these settings, with the plugins of the heard one, and switches to it.
    func take(
        _ wanted: StageSettings, scene: Int, keepsFormer: Bool, hasRoom: Bool = false
    ) async -> SessionReply {
        if let reason = whyNoOtherStage { return .refused(reason) }
        let former = stage
        let chains = await Self.memory(of: former.assembly.plugins)
        switch await build(wanted, chains: chains.requests) {
        case .failure(let error): return .refused("\(error.description); the former stage continues to play")
        case .success(let next):
            guard former.assembly.renderer === stage.assembly.renderer, outage == nil, !life.hasEnded else {
                return .refused("the JACK server restarted or changed its rate meanwhile; ask again")
            }
            let played = sound.playsRoom
            if hasRoom { sound.playsRoom = true }
            let reply = await take(next, scene: scene, keepsFormer: keepsFormer)
            // If the replacement fails, the room returns to its former state, or stays off if it was switched off
            // meanwhile.
            if case .refused = reply { sound.playsRoom = sound.playsRoom && played }
            return reply
        }
    }

    /// Reason why the stage cannot be replaced now; nil if it can.
    var whyNoOtherStage: String? {
        if !server.followsRate { return "the stage of a preview cannot be changed during playback" }
        if let outage { return outage.refusal }
        return staging.transition == nil ? nil : "another stage is about to take over; ask again"
    }

    /// Builds a stage for the present driver on a thread of its own. Takes up to some seconds.
    func build(_ wanted: StageSettings, chains: [PluginRequest]) async -> Result<Stage, SessionError> {
        var asked = settings
        asked.stage = wanted
        asked.stage.plugins = chains
        // Plugins at a position that the new layout lacks are kept for other layouts.
        asked.stage.isForgiving = true
        let (client, environment, said, programme) = (stage.client, self.environment, asked, settings.programme)
        let wantsPrint = staging.wantsPrint
        let outcome = Mutex<Result<Stage, SessionError>?>(nil)
        let refusal = await Self.besides { () throws(SessionError) in
            let layout =
                if let programme { programme } else {
                    try wanted.layout(named: wanted.choices.layout ?? Self.usualLayout)
                }
            var made = try Self.built(said, layout, for: client, in: environment)
            made.settings = wanted
            if wantsPrint { made.print = try Self.printing(wanted, chains, layout, for: client, in: environment) }
            outcome.withLock { $0 = .success(made) }
        }
        if let refusal { return .failure(SessionError(.usage, refusal)) }
        return outcome.withLock { $0 } ?? .failure(SessionError(.environment, "no stage was built"))
    }

    /// Switches to a stage, which may already play unheard. Returns after the crossfade to a new stage; at its start if
    /// the stage already plays or no stream runs.
    func take(_ next: Stage, scene: Int, keepsFormer: Bool) async -> SessionReply {
        let isNew = !staging.others.values.contains { $0.assembly.renderer === next.assembly.renderer }
        if isNew {
            do throws(SessionError) {
                try prepare(next)
                try play(with: next)
            } catch {
                return .refused(error.description)
            }
        }
        var transition = StageTransition(
            next: next, scene: scene, keepsFormer: keepsFormer, deadline: environment.clock.now + 10)
        // A stage that already plays, or a stream that has not started, needs no warm-up.
        guard isNew, stage.assembly.renderer.telemetry() != nil else {
            staging.transition = transition
            beginFade()
            return .done
        }
        return await withCheckedContinuation { done in
            transition.done = done
            staging.transition = transition
            enterPoses()
        }
    }

    /// Applies all settings in force to a stage before it plays beside the heard one.
    func prepare(_ next: Stage) throws(SessionError) {
        let renderer = next.assembly.renderer
        holdIfLost(renderer)
        if takes.logsMotion { takes.arm(renderer) }
        let plan = try self.plan(sound.dynamics["main"] ?? DynamicsSettings(), for: "main")
        _ = try next.assembly.follow(plan, settings.metadata?.known, next.settings)
        for remark in mirror(to: next, everything: true) { note(remark) }
        // The stage cannot take over `bypass` from a heard sound field, which has no such mode.
        if let comparison = monitoring.comparison { enter(comparison, on: next) }
        mirrorPrint(of: next)
        next.automation.map(renderer.follow)
        next.assembly.plugins.follow(next.pluginChanges)
    }

    /// Plays the heard stage with all stages beside it, and with `other`.
    func play(with other: Stage? = nil) throws(SessionError) {
        do throws(JACKError) { try stage.client.play(parts(with: other), heard: 0) } catch { throw SessionError(error) }
    }

    /// Returns all stages, the heard one first, each followed by its rendering for the print bus if it has one.
    func parts(with other: Stage? = nil) -> [StagePart] {
        ([stage] + unheard + [other].compactMap(\.self)).flatMap { stage in
            [StagePart(stage.assembly.renderer, inputs: stage.assembly.ports)]
                + [stage.print].compactMap(\.self).map {
                    StagePart($0.renderer, inputs: $0.ports, outlet: .print)
                }
        }
    }

    /// Stages of the other scenes, in their order.
    var unheard: [Stage] { staging.others.sorted { $0.key < $1.key }.map(\.value) }

    /// The heard stage, the stages of other scenes, and the next stage during a transition.
    var stages: [Stage] {
        var seen: Set<ObjectIdentifier> = []
        return ([stage] + unheard + [staging.transition?.next].compactMap(\.self))
            .filter { seen.insert(ObjectIdentifier($0.assembly.renderer)).inserted }
    }

    /// Feeds the head's pose to all stages, so that a new one starts with the present pose.
    func enterPoses() { feed.attach(stages.map(\.assembly.renderer.mailbox)) }
}
