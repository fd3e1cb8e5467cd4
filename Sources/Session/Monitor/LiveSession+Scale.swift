import AudioIO
import Desk
import Soundstage
import Stages

extension LiveSession {
    /// Returns a watch for the scale of the live sound field. Returns nil without a sound field, and for a file, whose
    /// scale was checked before playback.
    func scaleWatch() -> ScaleWatch? {
        guard settings.programme == nil, let format = layout.ambisonics else { return nil }
        return ScaleWatch(format, sampleRate: stage.client.sampleRate)
    }

    /// Passes the present format to the watch after a change of the stage with the same input channels. Their declared
    /// convention may have changed.
    func relateScale() {
        if let format = layout.ambisonics { sound.monitor?.scale?.expect(format) }
    }

    /// Notes, once for each scale, that the sound field seems to have another scale than declared.
    func lookAtScale() {
        // In a blind comparison a remark on one scene would identify it.
        guard staging.trial == nil, let found = sound.monitor?.scale?.found else { return }
        let remark = found.scale.remark(on: "main", said: found.said.convention)
        if sound.remarkedScales.insert(remark).inserted {
            note(remark + ", here 'ctl ambisonics \(found.scale.rawValue)'")
        }
    }
}
