import Foundation

/// Readings of a loudness meter: the measures of EBU R 128, as defined in EBU Tech 3341 and 3342.
///
/// A nil loudness, range or peak means no reading: silence, a sound shorter than the measure needs, or only windows
/// with faults.
package struct LoudnessReadings: Codable, Hashable, Sendable {
    /// Loudness of the last 400 ms, LUFS.
    package var momentary: Double?
    /// Loudness of the last 3 s, LUFS.
    package var shortTerm: Double?
    /// Integrated loudness so far, gated at −70 LUFS and at 10 LU below the mean, LUFS.
    package var integrated: Double?
    /// Loudness range so far, LU.
    package var range: Double?
    /// Largest true peak of any channel so far, dBTP.
    package var truePeak: Double?
    /// Largest momentary loudness so far, LUFS.
    package var maximumMomentary: Double?
    /// Largest short-term loudness so far, LUFS.
    package var maximumShortTerm: Double?
    /// Duration measured, seconds.
    package var seconds: Double
    /// Duration of all steps of 20 ms with a sample of +120 dBFS or more, seconds; nil if there are none. Maxima,
    /// integrated loudness and range omit windows that contain such a step.
    package var faultySeconds: Double?

    /// Creates readings without values.
    package init() { seconds = 0 }

    /// Momentary, short-term and integrated loudness, range and true peak as text.
    package var line: String {
        "M \(Self.text(momentary)) S \(Self.text(shortTerm)) I \(Self.text(integrated)) LUFS, range "
            + "\(Self.text(range)) LU, true peak \(Self.text(truePeak)) dBTP\(faults)"
    }

    /// Integrated loudness, range and true peak as text, for a finished programme.
    package var summary: String {
        "\(Self.text(integrated)) LUFS, range \(Self.text(range)) LU, true peak \(Self.text(truePeak)) dBTP\(faults)"
    }

    private var faults: String {
        faultySeconds.map { String(format: "; %.2f s with samples above +120 dBFS left out", $0) } ?? ""
    }

    private static func text(_ value: Double?) -> String { value.map { String(format: "%.1f", $0) } ?? "–" }
}
