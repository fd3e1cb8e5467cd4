import AudioIO
import Desk
import Loading
import Soundstage
import Stages

/// Stages with other sets beside the one that is heard, for comparing sets: as scenes are, but of a preview, and as
/// many as there are sets.
extension LiveSession {
    /// Builds stages of these settings; they play unheard from then on, numbered from 1. The present one is number 0.
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

    /// Has one of the stages heard, from the next cycle on and within 50 ms alone; whatever fades then, fades on from
    /// where it is.
    package func hear(ears number: Int) async throws(SessionError) {
        guard number != staging.scene else { return }
        if staging.transition?.isFading == true { endTransition(.done) }
        guard outage == nil, !life.hasEnded, let next = staging.others[number] else {
            throw SessionError(.environment, "the sets are not there to be heard: the JACK server is gone or changing")
        }
        _ = await take(next, scene: number, keepsFormer: true)
    }
}
