import AudioIO
import Desk
import Loading
import Rendering
import Signal
import Stages

/// Transition to another stage: the next stage plays unheard until its filters are filled, then both crossfade.
extension LiveSession {
    /// Longest warm-up of an unheard stage, seconds. The filters of a longer room are not filled completely when it is
    /// heard.
    private static let longestWarmUp = 2.0

    /// Advances a transition; runs every 50 ms.
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

    /// Makes the next stage the heard one, and starts the crossfade.
    func beginFade() {
        guard var transition = staging.transition, !transition.isFading else { return }
        let (former, next) = (stage, transition.next)
        let isSameSound = former.assembly.ports == next.assembly.ports
        if !isSameSound { endMetering() }
        takes.moveLogs(
            from: stage, to: next, roomIsOn: sound.playsRoom, headphonesAreOn: sound.equalises)
        // In a blind comparison a remark on one scene would identify it.
        for remark in mirror(to: next) where staging.trial == nil { note(remark) }
        stage = next
        settings.stage = next.settings
        staging.others[transition.scene] = nil
        if transition.keepsFormer { staging.others[staging.scene] = former }
        staging.scene = transition.scene
        // If the audio thread has muted the former stage, and has not reported it yet, this stage is muted too.
        if !former.assembly.renderer.gate.pointee.isOpen { next.assembly.renderer.gate.pointee.close() }
        let order = parts(with: transition.keepsFormer ? nil : former)
        do throws(JACKError) {
            // The next stage is the first in the order. The former stage is heard until the crossfade.
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
        takeUpAppeared()
        enterState()
        // Without a running stream there is no fade.
        if former.assembly.renderer.telemetry() == nil { endTransition(.done) }
    }

    /// Ends a transition. Drops the former stage unless it stays as another scene. Before the crossfade, drops the next
    /// stage.
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
