import AudioIO
import Desk
import Loading
import Racks
import Soundstage
import Stages

/// Rebuilds the stages beside the heard one after an outage of the server.
extension LiveSession {
    /// Rebuilds the stages of other scenes and the prints for the present driver, one after the other.
    func reviveOthers() {
        staging.lost.merge(staging.others) { $1 }
        staging.printReturns = staging.wantsPrint || staging.printReturns
        (staging.others, staging.wantsPrint) = ([:], false)
        stage.print = nil
        guard !staging.lost.isEmpty || staging.printReturns else { return }
        Task {
            _ = await inTurn {
                await reviveScenes()
                await revivePrint()
                return .done
            }
        }
    }

    /// Rebuilds lost scenes while there is a server. The others are rebuilt after the server's next return.
    private func reviveScenes() async {
        var failed: Set<Int> = []
        while outage == nil, !life.hasEnded,
            let (scene, former) = staging.lost.filter({ !failed.contains($0.key) }).min(by: { $0.key < $1.key })
        {
            guard let error = await revive(scene, former) else { continue }
            failed.insert(scene)
            let name = Staging.names[scene]
            note("scene \(name) does not play yet: \(error.description); 'scene \(name)' prepares it again")
            if let trial = staging.trial, [trial.pair.a, trial.pair.b].contains(scene) { endTrial() }
        }
    }

    /// Rebuilds a lost scene for the present driver. Returns the error if that fails; nil also if the server is lost or
    /// the session ends meanwhile. A scene that is not rebuilt stays in `staging.lost`, and is still saved.
    func revive(_ scene: Int, _ former: Stage) async -> SessionError? {
        while outage == nil, !life.hasEnded {
            let client = stage.client
            let chains = await Self.memory(of: former.assembly.plugins)
            let made = await build(former.settings, chains: chains.requests)
            // A stage built for a replaced driver is built again.
            guard client === stage.client, outage == nil else { continue }
            // The scene's inputs may have values of their own, which the heard scene refuses.
            if case .success(let next) = made { askInputs(of: next, asThoseOf: former) }
            let error = admit(made, as: scene)
            if error == nil { staging.lost[scene] = nil }
            return error
        }
        return nil
    }

    private func revivePrint() async {
        staging.revivesPrint = staging.printReturns
        defer { staging.revivesPrint = false }
        // Plugin commands in progress end first. Later ones wait for the print, which would lose their changes.
        while undo.pluginWork > 0 { try? await Task.sleep(for: .milliseconds(5)) }
        while outage == nil, !life.hasEnded, staging.printReturns {
            let client = stage.client
            guard staging.transition == nil else {
                // A fade between two scenes ends soon.
                try? await Task.sleep(for: .milliseconds(10))
                continue
            }
            guard case .refused(let reason) = await setPrint(true), client === stage.client, outage == nil else {
                continue
            }
            staging.printReturns = false
            note("there is no print bus any more: \(reason)")
        }
    }

    /// Runs work on the stages after all earlier such work, because a build relies on the present stages.
    func inTurn(_ work: () async -> SessionReply) async -> SessionReply {
        while staging.isBusy { await withCheckedContinuation { staging.waiting.append($0) } }
        staging.isBusy = true
        defer {
            staging.isBusy = false
            if !staging.waiting.isEmpty { staging.waiting.removeFirst().resume() }
        }
        return await work()
    }

    /// Returns when the fade between two stages has ended, after at most about 2 s.
    func fadeIsOver() async {
        for _ in 0..<200 where outage == nil && staging.transition?.isFading == true {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Adds an unheard stage as a scene. Returns the error if it fails, else nil.
    func admit(_ made: Result<Stage, SessionError>, as scene: Int) -> SessionError? {
        do throws(SessionError) {
            let stage = try made.get()
            try prepare(stage)
            staging.others[scene] = stage
            try play()
            enterPoses()
            return nil
        } catch {
            staging.others[scene] = nil
            enterPoses()
            return error
        }
    }
}
