/// Controls of a programme's level and dynamics that may change while it plays. Every change is gradual.
package struct DynamicsControls: BitwiseCopyable, Codable, Hashable, Sendable {
    /// Gain that brings the programme to its target loudness, dB; 0 without normalisation.
    package var normalisation: Float
    /// Compression profile.
    package var profile: CompressionProfile
    /// Share of the profile's attenuation that is applied, 0…1.
    package var cutScale: Float
    /// Share of the profile's amplification that is applied, 0…1.
    package var boostScale: Float
    /// Loudness to which the profile's levels are relative, LUFS before `normalisation`. It is the loudness of the
    /// dialogue or of the whole programme.
    package var reference: Float

    /// Fault of controls that were read from a motion log; nil if there is none.
    var flaw: String? {
        if ![cutScale, boostScale].allSatisfy({ (0...1).contains($0) }) {
            return "the shares of a compression profile are numbers 0 to 1"
        }
        if ![normalisation, reference].allSatisfy({ (-200...200).contains($0) }) {
            return "'normalisation' or 'reference' is no number of dB from -200 to 200"
        }
        return nil
    }

    /// Makes controls. The defaults are neutral.
    package init(
        normalisation: Float = 0, profile: CompressionProfile = .none, cutScale: Float = 1, boostScale: Float = 1,
        reference: Float = -31
    ) {
        self.normalisation = normalisation
        self.profile = profile
        self.cutScale = cutScale
        self.boostScale = boostScale
        self.reference = reference
    }
}
