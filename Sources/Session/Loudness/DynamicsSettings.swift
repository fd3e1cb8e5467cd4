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

    /// Takes one word and its value, as `dialnorm` and `-27`, by the table of parameters: the keys of `--input` and of options.
    /// False where either is none.
    package mutating func read(key: String, value: String) -> Bool {
        guard let parameter = Parameter.named(key), case .dynamics(let set) = parameter.effect,
            let read = try? parameter.value(of: [value])
        else { return false }
        set(&self, read)
        return true
    }

    /// The words of `read`.
    package static var words: [String] {
        Parameter.all.filter { if case .dynamics = $0.effect { true } else { false } }.map(\.id)
    }

    /// The keys of `read`, with what they take.
    package static let keys =
        "programme-loudness=LUFS, dialnorm=-31…-1, loudness-target=LUFS|line|rf|off, drc=PROFILE, drc-cut=0…1, drc-boost=0…1"
}
