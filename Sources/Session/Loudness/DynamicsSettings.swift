import Soundstage

/// What the user says of a programme's loudness and dynamics; nil where nothing is said.
package struct DynamicsSettings: Sendable, Hashable {
    /// Loudness of the programme as delivered, LUFS, −70…5.
    package var loudness: Double?
    /// Level of its dialogue, −31…−1; 0 is read as −31.
    package var dialnorm: Int?
    /// Where it is brought to.
    package var target: LoudnessTarget?
    /// How its dynamics are compressed: a profile's name.
    package var profile: CompressionProfile?
    /// Share of a profile's attenuation that is applied, 0…1.
    package var cut: Double
    /// Share of a profile's amplification that is applied, 0…1.
    package var boost: Double

    /// All choices; by default nothing is said.
    package init(
        loudness: Double? = nil, dialnorm: Int? = nil, target: LoudnessTarget? = nil,
        profile: CompressionProfile? = nil, cut: Double = 1, boost: Double = 1
    ) {
        self.loudness = loudness
        self.dialnorm = dialnorm
        self.target = target
        self.profile = profile
        self.cut = cut
        self.boost = boost
    }

    /// Whether nothing is said.
    package var isEmpty: Bool { self == DynamicsSettings() }
}
