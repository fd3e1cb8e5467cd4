import Signal

/// Processing of a set's responses before they are played.
package enum HRTFProcessing: String, CaseIterable, Hashable, Sendable, Codable {
    /// Equalisation, extension of low frequencies if needed, level, trimming.
    case automatic = "auto"
    /// No processing: measured directions play as stored, others are interpolated. It serves for verification.
    case none
}

/// The set that plays, and each step of its processing. Shown whenever a set is loaded.
package struct HRTFReport: Hashable, Sendable, Codable {
    /// Title of the set, or else its database or its path.
    package var name: String
    /// Path of the set's file.
    package var path: String
    /// Licence in the words of the file or the catalogue, or a note that the file states none.
    package var licence: String
    /// Authors and publication to credit; empty if unknown.
    package var citation: String
    /// Number of directions used.
    package var directions: Int
    /// Distance of the sources in metres; 0 if unknown.
    package var distance: Double
    /// Sample rate of the set, hertz.
    package var setRate: Double
    /// Sample rate of playback, hertz.
    package var sessionRate: Double
    /// Number of samples in each stored response, at the set's rate.
    package var storedTaps: Int
    /// Number of samples in each played response, at the session's rate.
    package var playedTaps: Int
    /// Number of the grid's points, between which the field interpolates.
    package var gridPoints: Int
    /// Largest minus smallest delay over directions and ears, seconds.
    package var delaySpread: Double
    /// Common delay of all directions and ears that is removed, seconds. It is negative if the interpolator needs more
    /// time before the first onset than the set has.
    package var commonDelayRemoved: Double
    /// Radius of the sphere whose interaural delays fit best, metres.
    package var headRadius: Double
    /// Largest deviation of a third of an octave of the diffuse field from flat before processing, 0.2…16 kHz, dB, ≥ 0.
    package var diffuseFieldDeviation: Double
    /// Applied gain, dB.
    package var gain: Decibels
    /// Each step of processing that was applied or was not needed, one sentence each.
    package var processing: [String]
    /// Peculiarities of the set, one sentence each.
    package var remarks: [String]
    /// Whether the set had been prepared before: it was in the cache, or another stage (renderer of virtual
    /// loudspeakers) of this process plays it.
    package var wasPrepared = false

    /// The report as lines of text for the user.
    package var lines: [String] {
        func rounded(_ value: Double, _ places: Double = 10) -> String {
            let number = (value * places).rounded() / places
            return number == number.rounded() ? "\(Int(number))" : "\(number)"
        }
        var lines = [
            "HRTF set   \(name)",
            "  file     \(path)",
            "  licence  \(licence)",
        ]
        if !citation.isEmpty { lines.append("  credit   \(citation)") }
        var facts = "\(directions) directions"
        if distance > 0 { facts += " at \(rounded(distance, 100)) m" }
        facts += ", \(storedTaps) samples at \(rounded(setRate)) Hz"
        lines.append("  stored   \(facts)")
        lines.append(
            "  played   \(playedTaps) samples, delays included, at \(rounded(sessionRate)) Hz, delays spread over "
                + "\(rounded(delaySpread * 1e6, 1)) µs, "
                + (commonDelayRemoved < 0
                    ? "\(rounded(-commonDelayRemoved * 1e6, 1)) µs added for the interpolator"
                    : "\(rounded(commonDelayRemoved * 1e6, 1)) µs common to all removed")
                + ", level \(gain)")
        if wasPrepared { lines.append("  cache    prepared before") }
        for step in processing { lines.append("  \(step)") }
        for remark in remarks { lines.append("  note: \(remark)") }
        return lines
    }
}
