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

    /// The names of the profiles, for help texts.
    package static var profileNames: String { CompressionProfile.allCases.map(\.name).joined(separator: ", ") }

    /// The profile of a name; nil for an unknown one.
    package static func profile(_ name: String) -> CompressionProfile? { CompressionProfile(name: name) }

    /// Takes one word and its value, as `dialnorm` and `-27`: the keys of `--input` and the words of OSC. False where either is
    /// none.
    package mutating func read(key: String, value: String) -> Bool {
        switch key {
        case "programme-loudness":
            guard let number = Double(value), (-70...5).contains(number) else { return false }
            loudness = number
        case "dialnorm":
            guard let number = Int(value), (-31...0).contains(number) else { return false }
            dialnorm = number == 0 ? -31 : number
        case "loudness-target":
            guard let target = LoudnessTarget(value) else { return false }
            self.target = target
        case "drc":
            guard let profile = CompressionProfile(name: value) else { return false }
            self.profile = profile
        case "drc-cut":
            guard let share = Double(value), (0...1).contains(share) else { return false }
            cut = share
        case "drc-boost":
            guard let share = Double(value), (0...1).contains(share) else { return false }
            boost = share
        default: return false
        }
        return true
    }

    /// The keys of `read`, with what they take.
    package static let keys =
        "programme-loudness=LUFS, dialnorm=-31…-1, loudness-target=LUFS|line|rf|off, drc=PROFILE, drc-cut=0…1, drc-boost=0…1"
}
