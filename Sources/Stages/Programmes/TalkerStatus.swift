import AudioMix
import Foundation
import Soundstage

/// A talker detected by the Audio Mix of a sound field, for status and meters.
package struct TalkerStatus: Codable, Sendable, Equatable {
    /// Direction of the voice relative to the field's own front, degrees: azimuth counter-clockwise, −180…180, and
    /// elevation up from the horizon.
    package var azimuth: Double, elevation: Double
    /// Probability of speech, 0…1; the mix treats it as a voice from about 0.5.
    package var presence: Double

    /// The azimuth as text.
    package var words: String { String(format: "%+.0f°", azimuth) }
}

extension ProgrammeRenderer {
    /// Talkers detected at present, at most two; nil without a mix.
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
