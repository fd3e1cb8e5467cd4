import AudioIO
import Desk
import Soundstage
import Stages

extension LiveSession {
    /// Listens for the scale of the sound field that comes in: not of a file's, which was looked at before it played.
    func scaleWatch() -> ScaleWatch? {
        guard settings.programme == nil, let format = layout.ambisonics else { return nil }
        return ScaleWatch(format, sampleRate: stage.client.sampleRate)
    }

    /// Listens on where the same channels come in, of which something else may be said now.
    func relateScale() {
        if let format = layout.ambisonics { sound.monitor?.scale?.expect(format) }
    }

    /// Tells, once for each scale, that the sound field seems to have another than was said.
    func lookAtScale() {
        // What is said of one scene would tell it from another.
        guard staging.trial == nil, let found = sound.monitor?.scale?.found else { return }
        let remark = found.scale.remark(on: "main", said: found.said.convention)
        if sound.remarkedScales.insert(remark).inserted {
            note(remark + ", here 'ctl ambisonics \(found.scale.rawValue)'")
        }
    }
}
