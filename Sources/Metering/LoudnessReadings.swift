import Foundation

/// What a loudness meter shows: EBU R 128's measures, as EBU Tech 3341 and 3342 define them.
///
/// nil stands for "no reading": silence, or less sound than the measure needs.
package struct LoudnessReadings: Codable, Hashable, Sendable {
    /// Loudness of the last 400 ms, LUFS.
    package var momentary: Double?
    /// Loudness of the last 3 s, LUFS.
    package var shortTerm: Double?
    /// Loudness of everything so far, gated at −70 LUFS and at 10 LU below, LUFS.
    package var integrated: Double?
    /// Loudness range of everything so far, LU.
    package var range: Double?
    /// Largest true peak of any channel so far, dBTP.
    package var truePeak: Double?
    /// Largest momentary loudness so far, LUFS.
    package var maximumMomentary: Double?
    /// Largest short-term loudness so far, LUFS.
    package var maximumShortTerm: Double?
    /// Seconds of sound measured.
    package var seconds: Double
    /// Seconds in which a sample was above +120 dBFS, and whose windows the measures leave out; nil for none.
    package var faultySeconds: Double?

    /// Nothing measured.
    package init() { seconds = 0 }

    /// Momentary, short-term, integrated, range and true peak in words.
    package var line: String {
        "M \(Self.text(momentary)) S \(Self.text(shortTerm)) I \(Self.text(integrated)) LUFS, range "
            + "\(Self.text(range)) LU, true peak \(Self.text(truePeak)) dBTP\(faults)"
    }

    /// Integrated loudness, range and true peak in words, for a programme that is over.
    package var summary: String {
        "\(Self.text(integrated)) LUFS, range \(Self.text(range)) LU, true peak \(Self.text(truePeak)) dBTP\(faults)"
    }

    private var faults: String {
        faultySeconds.map { String(format: "; %.2f s with samples above +120 dBFS left out", $0) } ?? ""
    }

    private static func text(_ value: Double?) -> String { value.map { String(format: "%.1f", $0) } ?? "–" }
}
