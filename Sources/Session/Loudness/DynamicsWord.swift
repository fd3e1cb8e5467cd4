/// One thing said of a programme's loudness or dynamics: a key of `DynamicsSettings.keys` and what it takes.
package struct DynamicsWord: Sendable, Equatable {
    /// `programme-loudness`, `dialnorm`, `loudness-target`, `drc`, `drc-cut` or `drc-boost`.
    package let key: String
    /// What is said, as on the command line.
    package let value: String

    /// All keys.
    package static let keys = [
        "programme-loudness", "dialnorm", "loudness-target", "drc", "drc-cut", "drc-boost",
    ]

    /// A word; nil where the key is none or the value is none of its.
    package init?(key: String, value: String) {
        var settings = DynamicsSettings()
        guard settings.read(key: key, value: value) else { return nil }
        self.key = key
        self.value = value
    }
}
