import Foundation
import HRTF
import Headphones
import Loading
import Signal

/// Equalisation of the listener's headphones on a stage, with remarks.
package struct HeadphonesInUse: Sendable {
    /// The file, as it was named.
    package let file: String
    /// The equaliser read from the file.
    package let equaliser: HeadphoneEqualiser
    /// The filter at the stage's sample rate.
    package let filter: HeadphoneFilter

    /// Reads a file, or the file of the measured person with this name, and designs its filter. Takes up to some tenths
    /// of a second; never on the audio thread.
    package init(
        file: String, sampleRate: SampleRate, by reader: any SOFAReader = InProcessReader()
    ) throws(SessionError) {
        self.file = file
        equaliser = try HeadphoneLoading.equaliser(at: MakingName.headphones.path(of: file), by: reader)
        filter = HeadphoneFilter(equaliser, sampleRate: sampleRate)
    }

    /// Creates the selected equalisation; nil if none is selected.
    package init?(
        _ settings: HeadphoneSettings, sampleRate: SampleRate, by reader: any SOFAReader
    ) throws(SessionError) {
        guard !settings.isNone else { return nil }
        try self.init(file: settings.file, sampleRate: sampleRate, by: reader)
    }

    /// Description of the equalisation.
    package var summary: String {
        var parts: [String] = []
        let count = equaliser.filters.count
        if count > 0 { parts.append("\(count) filter\(count == 1 ? "" : "s")") }
        if let taps = filter.ears.map(\.taps.count).max(), taps > 0 { parts.append("\(taps) taps of minimum phase") }
        let preamp = equaliser.preamp.map { Decibels($0).description }
        parts.append("preamp " + (preamp[0] == preamp[1] ? preamp[0] : "\(preamp[0]) left, \(preamp[1]) right"))
        return "\(equaliser.name) (\(equaliser.origin.rawValue)): " + parts.joined(separator: ", ")
    }

    /// The curve's largest gain and its effect on loudness, in words.
    package var levels: String {
        let boost = filter.boost
        return "largest gain \(Decibels(boost.decibels)) at \(Int(boost.hertz.rounded())) Hz; the loudness of "
            + "pink noise changes by \(Decibels(filter.loudness)) (BS.1770), also while the equalisation is off, for a "
            + "comparison at equal loudness"
    }

    /// Returns remarks for the listener, for an HRTF set with this processing.
    package func remarks(processing: HRTFProcessing) -> [String] {
        equaliser.remarks + [clipping].compactMap(\.self) + [caveat(processing)]
    }

    /// Reason why the curve may clip; nil if its preamp prevents it.
    package var clipping: String? {
        guard filter.boost.decibels > 0.05 else { return nil }
        let excess = (filter.boost.decibels * 10).rounded(.up) / 10
        return "the curve boosts by \(excess) dB after its preamp: full-scale sound at the frequency of this boost "
            + "clips; lower the preamp or --gain by as much"
    }

    /// Returns a remark on corrections that apply twice.
    private func caveat(_ processing: HRTFProcessing) -> String {
        switch (equaliser.origin, processing) {
        case (.inverse, .automatic):
            "an inverse makes headphones flat at the ear and so removes their ear gain; --processing auto removes that "
                + "of the set too: prefer --processing none with an inverse, or a curve for the diffuse-field target"
        case (.inverse, .none):
            "an inverse corrects the headphones alone: switch off other equalisation in their app or in the system, "
                + "because both correct the same response"
        case (_, .automatic):
            "the set is equalised to the diffuse field: take a curve for the diffuse-field target; one for Harman's "
                + "(AutoEq's default) adds its bass and counts a part of the ear twice"
        case (_, .none):
            "what plays has the ear gain in it (a set without equalisation, or a measured room), and headphones equalised "
                + "to the diffuse-field or Harman target have it, too: it counts twice"
        }
    }

    /// Description at the start of a stage: one fact a line.
    package func lines(processing: HRTFProcessing) -> [String] { lines(notes: remarks(processing: processing)) }

    /// Description without an HRTF set.
    package var lines: [String] { lines(notes: equaliser.remarks + [clipping].compactMap(\.self)) }

    private func lines(notes: [String]) -> [String] {
        ["headphones: " + summary, "  " + levels] + notes.map { "  note: " + $0 }
    }
}

/// The equalisation of headphones of a running session.
package struct HeadphoneStatus: Codable, Sendable {
    /// The file's name.
    package var name: String
    /// Whether the equalisation is on. The loudness is the same when it is off.
    package var isOn: Bool
    /// Largest gain of the curve, preamp included, dB, and its frequency, hertz.
    package var boost: Double, boostHertz: Double
    /// Change of the loudness of pink noise, dB.
    package var loudness: Double
    /// Remarks for the listener, a sentence each.
    package var remarks: [String]

    /// Makes the status of an equalisation in use.
    package init(_ use: HeadphonesInUse, isOn: Bool, processing: HRTFProcessing) {
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 + 0 }
        name = use.equaliser.name
        self.isOn = isOn
        boost = hundredths(use.filter.boost.decibels)
        boostHertz = use.filter.boost.hertz.rounded()
        loudness = hundredths(use.filter.loudness)
        remarks = use.remarks(processing: processing)
    }
}
