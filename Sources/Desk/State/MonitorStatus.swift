/// The monitor section of a running session, as `ctl status` shows it.
package struct MonitorStatus: Codable, Sendable, Equatable {
    /// Level of both ears, dB, dim included.
    package var level = 0.0
    /// Whether the ears are dimmed; whether they are muted; whether both get the mean of the two.
    package var isDimmed = false, isMuted = false, isMono = false
    /// Names of the silent loudspeakers (muted, or not among those in solo), and of those with inverted polarity.
    package var silent: [String] = [], inverted: [String] = []
    /// Level of pink noise at −20 dBFS RMS, dB SPL; nil before it was measured.
    package var reference: Double?
    /// The loudspeaker that plays test noise; nil for none.
    package var noise: String?
    /// The layout that the stage is folded down to; nil without a fold-down.
    package var foldDown: String?
    /// Mode of the stage during a comparison; nil without one.
    package var comparison: String?
    /// Whether the reference plays instead of the stage, and whether talkback is on.
    package var hearsReference = false, isTalking = false
    /// Whether the ears are lowered because the listener looks away.
    package var isAway = false

    /// Creates the status of default settings.
    package init() {}

    /// The settings that differ from the defaults, in words; nil if none differs.
    package var words: String? {
        let parts = [
            isMuted ? "MUTED" : nil, level == 0 ? nil : "\((level * 10).rounded() / 10) dB", isDimmed ? "DIM" : nil,
            isMono ? "MONO" : nil,
            isAway ? "LOOKS AWAY" : nil, isTalking ? "TALKBACK" : nil, hearsReference ? "REFERENCE" : nil,
            foldDown.map { "folded down to \($0)" }, comparison.map { "compared: \($0)" },
            noise.map { "test noise from \($0)" },
            silent.isEmpty ? nil : "silent: \(silent.joined(separator: " "))",
            inverted.isEmpty ? nil : "inverted: \(inverted.joined(separator: " "))",
            reference.map { "reference \(($0 * 10).rounded() / 10) dB SPL" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
