import AudioIO
import Desk
import Loading
import Rendering
import Signal
import Stages

/// From one stage to the next: heard when it is full of sound, and alone when the other has faded.
extension LiveSession {
    /// Seconds that a stage plays unheard at most: longer rooms are not waited for.
    private static let longestWarmUp = 2.0

    /// Every 50 ms: the next step of a transition.
    func lookAtTransition() {
        guard var transition = staging.transition else { return }
        guard !transition.isFading else {
            if stage.client.isSettled || environment.clock.now > transition.deadline { endTransition(.done) }
            return
        }
        let (next, rate) = (transition.next, stage.client.sampleRate)
        let isPlaying = stage.assembly.renderer.telemetry() != nil
        if let seen = next.assembly.renderer.telemetry() {
            let first = transition.firstFrame ?? seen.streamFrame
            transition.firstFrame = first
            staging.transition = transition
            let most = Int(Self.longestWarmUp * rate.hertz)
            let warmUp = min(most, next.assembly.tapCount + next.assembly.renderer.latencyFrames)
            if seen.streamFrame - first >= warmUp { return beginFade() }
        }
        if !isPlaying || environment.clock.now > transition.deadline { beginFade() }
    }

    /// The next stage is the one that is heard from here on.
    func beginFade() {
        guard var transition = staging.transition, !transition.isFading else { return }
        let (former, next) = (stage, transition.next)
        let isSameSound = former.assembly.ports == next.assembly.ports
        if !isSameSound { endMetering() }
        takes.moveLogs(from: stage, to: next)
        for remark in mirror(to: next) { note(remark) }
        stage = next
        settings.stage = next.settings
        staging.others[transition.scene] = nil
        if transition.keepsFormer { staging.others[staging.scene] = former }
        staging.scene = transition.scene
        // A loss that was not told yet muted the former, and is one for this stage, too.
        if !former.assembly.renderer.gate.pointee.isOpen { next.assembly.renderer.gate.pointee.close() }
        let order = parts(with: transition.keepsFormer ? nil : former)
        do throws(JACKError) {
            // The one that is heard comes first; until it is heard it is another.
            let playing = order.firstIndex { $0.renderer === former.assembly.renderer } ?? 0
            try stage.client.play(order, heard: playing)
        } catch {
            note("the stage is not changed: \(error.description)")
        }
        stage.client.hear(0)
        startWatches()
        if isSameSound { relateScale() } else { beginMetering() }
        playback.told = [:]
        transition.isFading = true
        transition.deadline = environment.clock.now + 2
        staging.transition = transition
        enterPoses()
        enterState()
        // Where nothing plays yet nothing fades.
        if former.assembly.renderer.telemetry() == nil { endTransition(.done) }
    }

    /// The former stage has faded: it goes, unless it is another scene.
    func endTransition(_ reply: SessionReply) {
        guard let transition = staging.transition else { return }
        staging.transition = nil
        if outage == nil, !life.hasEnded {
            if !transition.keepsFormer || !transition.isFading {
                do throws(SessionError) { try play() } catch { note(error.description) }
            }
            enterPoses()
        }
        HostMemory.returnUnused()
        transition.done?.resume(returning: reply)
    }
}
