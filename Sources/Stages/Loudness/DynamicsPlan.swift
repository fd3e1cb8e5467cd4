import Foundation
import Loading
import Soundstage

/// Loudness normalisation and compression of a programme, decided from the user's settings first and the metadata
/// second.
///
/// The reference loudness is the first of these that is known: the user's loudness, the user's dialnorm, the producer's
/// dialnorm in the metadata, and the measured loudness in the metadata. The target is the user's; without one it is
/// −31 LUFS if the reference is a dialnorm, as in a decoder's line mode, otherwise there is no target. The compression
/// profile is the user's, otherwise that of the metadata. With neither a reference nor a request the programme is
/// unchanged. A request without a reference is an error.
package struct DynamicsPlan: Codable, Hashable, Sendable {
    /// Loudness of the programme as delivered, LUFS, to which levels refer; nil if unknown.
    package var reference: Double?
    /// Source of the reference, for the user.
    package var referenceSource: String?
    /// Target loudness, LUFS; nil if the programme is not normalised.
    package var target: Double?
    /// Gain of the normalisation, dB.
    package var normalisation: Double
    /// Name of the compression profile.
    package var profile: String
    /// Shares of the profile's attenuation and amplification that apply, 0…1.
    package var cut: Double, boost: Double

    /// Decides on the plan from the settings and the metadata.
    ///
    /// - Parameters:
    ///   - metadata: metadata of the programme's file, whose name is `file`.
    /// - Throws: a usage or input error if the settings or the metadata request a target or a profile, and the
    ///   reference loudness is unknown.
    package init(
        _ settings: DynamicsSettings, metadata: ProgrammeMetadata? = nil, from file: String = ""
    ) throws(SessionError) {
        let known: [(value: Double?, source: String, isDialnorm: Bool)] = [
            (settings.loudness, "--programme-loudness", false),
            (settings.dialnorm.map(Double.init), "--dialnorm", true),
            (metadata?.dialnorm.map(Double.init), "dialnorm in \(file)", true),
            (metadata?.loudness, "loudness in \(file)", false),
        ]
        let found = known.first { $0.value != nil }
        reference = found?.value
        referenceSource = found?.source
        let asked = settings.target ?? (found?.isDialnorm == true ? .line : .off)
        target = asked.loudness
        let wanted = settings.profile ?? metadata?.drc ?? .none
        profile = wanted.word
        (cut, boost) = (settings.cut, settings.boost)
        normalisation = target.flatMap { target in found?.value.map { target - $0 } } ?? 0
        guard found == nil, target != nil || wanted.isActive else { return }
        let ask =
            target != nil
            ? "a target of \(asked.word)"
            : settings.profile != nil ? "compression (\(wanted.word))" : "'drc' in \(file)"
        throw SessionError(
            settings.target != nil || settings.profile != nil ? .usage : .input,
            "\(ask) needs the loudness of the programme; give its programme-loudness in LUFS ('proscenium loudness FILE' measures it) or dialnorm, as --programme-loudness or by 'ctl programme-loudness'"
        )
    }

    /// Whether the plan changes the programme.
    package var isActive: Bool { normalisation != 0 || profile != CompressionProfile.none.word }

    /// The plan in the form that the renderer uses.
    package var controls: DynamicsControls {
        DynamicsControls(
            normalisation: Float(normalisation), profile: CompressionProfile(word: profile) ?? .none,
            cutScale: Float(cut), boostScale: Float(boost), reference: Float(reference ?? -31))
    }

    /// The plan in words; nil if no loudness is known, so that the programme is unchanged.
    package var line: String? {
        guard let reference, let referenceSource else { return nil }
        var words = String(format: "loudness: %.1f LUFS by %@", reference, referenceSource)
        words += target.map { String(format: ", brought to %.1f (%+.1f dB)", $0, normalisation) } ?? ", left as it is"
        guard profile != CompressionProfile.none.word else { return words }
        words += "; compression \(profile)"
        if cut != 1 || boost != 1 { words += String(format: ", cut × %.2f, boost × %.2f", cut, boost) }
        return words
    }
}
