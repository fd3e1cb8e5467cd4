import Foundation
import Loading
import Soundstage

/// What becomes of a programme's loudness and dynamics, and why: what the user says and what its metadata say, in their
/// order.
///
/// How loud the programme is: the user's loudness, else the user's dialnorm, else the metadata's dialnorm, which its
/// maker stated, else their loudness, which was measured. Where it is brought to: the user's target; else −31 where
/// what is known is a dialnorm, as a decoder in line mode does; else nowhere. How it is compressed: the user's profile,
/// else the metadata's. Where nothing is known and nothing asked for, nothing is done; what is asked for and cannot be
/// done is an error, never left out.
package struct DynamicsPlan: Codable, Hashable, Sendable {
    /// LUFS of the programme as delivered, which levels are relative to; nil: not known.
    package var reference: Double?
    /// Who said so, for the user.
    package var referenceSource: String?
    /// LUFS it is brought to; nil: it is left as it is.
    package var target: Double?
    /// dB that this takes.
    package var normalisation: Double
    /// Name of the compression profile.
    package var profile: String
    /// Shares of its attenuation and amplification, 0…1.
    package var cut: Double, boost: Double

    /// Weighs what is said.
    ///
    /// - Parameters:
    ///   - metadata: what the programme's file says, and the file's name.
    /// - Throws: a usage or input error where a target or a profile is asked for and nothing says how loud the
    ///   programme is.
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
            "\(ask) needs to know how loud the programme is; say its programme-loudness in LUFS ('proscenium loudness FILE' measures it) or dialnorm, as --programme-loudness or by 'ctl programme-loudness'"
        )
    }

    /// Whether anything is done.
    package var isActive: Bool { normalisation != 0 || profile != CompressionProfile.none.word }

    /// The same, as the engine takes it.
    package var controls: DynamicsControls {
        DynamicsControls(
            normalisation: Float(normalisation), profile: CompressionProfile(word: profile) ?? .none,
            cutScale: Float(cut), boostScale: Float(boost), reference: Float(reference ?? -31))
    }

    /// In words; nil where nothing is known and nothing done.
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
