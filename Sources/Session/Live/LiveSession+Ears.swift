import AudioIO
import Desk
import Loading
import Soundstage
import Stages

/// Comparison of HRTF sets in a preview: a stage for each set. As with scenes, all stages play and one is heard.
extension LiveSession {
    /// Builds stages of these settings, numbered from 1, which then play unheard. The present stage is number 0.
    package func stand(beside wanted: [StageSettings]) async throws(SessionError) {
        for (index, settings) in wanted.enumerated() {
            switch await build(settings, chains: []) {
            case .failure(let error): throw error
            case .success(let next):
                guard outage == nil, !life.hasEnded, next.client === stage.client else {
                    throw SessionError(.environment, "the JACK server changed meanwhile; begin again")
                }
                try prepare(next)
                staging.others[index + 1] = next
                enterPoses()
            }
        }
        try play()
    }

    /// Switches the output to one of the stages, with a crossfade of 50 ms from the next cycle. If a fade is in
    /// progress, the crossfade begins with its present gains.
    package func hear(ears number: Int) async throws(SessionError) {
        guard number != staging.scene else { return }
        if staging.transition?.isFading == true { endTransition(.done) }
        guard outage == nil, !life.hasEnded, let next = staging.others[number] else {
            throw SessionError(.environment, "the sets are not there to be heard: the JACK server is gone or changing")
        }
        _ = await take(next, scene: number, keepsFormer: true)
    }
}
