import AudioIO
import Soundstage

/// What is beside the stage that is heard comes back after the server was gone.
extension LiveSession {
    /// Builds the stages of other scenes and what prints anew, for the present driver, one after the other.
    func reviveOthers() {
        let lost = staging.others
        staging.printReturns = staging.wantsPrint || staging.printReturns
        (staging.others, staging.wantsPrint, staging.coming) = ([:], false, Set(lost.keys))
        stage.print = nil
        guard !lost.isEmpty || staging.printReturns else { return }
        let client = stage.client
        Task {
            for (scene, former) in lost.sorted(by: { $0.key < $1.key }) {
                let chains = former.assembly.plugins.memory()
                let made = await build(former.settings, chains: chains.requests)
                chains.forget()
                // Another server has come meanwhile, and builds again what it finds.
                guard client === stage.client, outage == nil, !hasEnded else {
                    staging.others[scene] = staging.others[scene] ?? former
                    continue
                }
                admit(made, as: scene)
            }
            guard client === stage.client else { return }
            staging.coming = []
            // Somebody may have said meanwhile that none is wanted any more.
            guard staging.printReturns, case .refused(let reason) = await setPrint(true) else { return }
            staging.printReturns = false
            note("there is no print bus any more: \(reason)")
        }
    }

    /// Takes a scene in that was built anew.
    private func admit(_ made: Result<Stage, SessionError>, as scene: Int) {
        staging.coming.remove(scene)
        do throws(SessionError) {
            let stage = try made.get()
            staging.others[scene] = stage
            for remark in mirror(to: stage, everything: true) { note(remark) }
            try play()
            enterPoses()
        } catch {
            staging.others[scene] = nil
            note("scene \(Staging.names[scene]) is no more: \(error.description)")
        }
    }
}
