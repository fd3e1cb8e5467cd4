import AudioMix
import Foundation
import Soundstage

/// A talker that the Audio Mix of a sound field hears, as the status and the meters tell.
package struct TalkerStatus: Codable, Sendable, Equatable {
    /// Where the voice comes from, about the field's own front: degrees counter-clockwise, −180…180,
    /// and up from the horizon.
    package var azimuth: Double, elevation: Double
    /// How likely it is speech, 0…1; the mix takes it for a voice from about 0.5 on.
    package var presence: Double

    /// The direction in words.
    package var words: String { String(format: "%+.0f°", azimuth) }
}

extension ProgrammeRenderer {
    /// The talkers that are heard in it now, at most two; nil where nothing is mixed.
    package var talkers: [TalkerStatus]? {
        guard programme.mix != nil else { return nil }
        let found = state.talkers
        return [found.0, found.1].compactMap(\.self).map { talker in
            let u = talker.direction
            return TalkerStatus(
                azimuth: ParameterValue.degrees(atan2(Double(u.y), Double(u.x))),
                elevation: ParameterValue.degrees(asin(max(-1, min(1, Double(u.z))))),
                presence: ParameterValue.share(talker.presence))
        }
    }
}
