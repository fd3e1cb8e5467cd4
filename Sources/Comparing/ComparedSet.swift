import Foundation
import HRTF
import Loading
import Metering
import Offline
import Session
import Soundstage
import Stages
import Takes

/// An HRTF set under comparison, and the gain that matches its loudness to that of the other sets.
package struct ComparedSet: Sendable, Equatable {
    /// Name of the set, as requested.
    package let name: String
    /// Path of the set's file.
    package let path: String
    /// Gain in dB, at most 0. It is 0 for the softest set, and before `matched`.
    package var gain = 0.0
    /// Loudness of both ears with that gain, in LUFS; 0 before `matched`.
    package var loudness = 0.0

    /// Finds the file of a set.
    ///
    /// - Throws: if the name is unknown, or the set is not installed.
    package init(_ name: String) throws(SessionError) {
        self.name = name
        do throws(HRTFError) { path = try DataFolders.library.locate(HRTFSelection(name)) } catch {
            throw SessionError(error)
        }
    }

    /// Returns the sets with gains that lower each of them to the loudness of the softest set. Loudness is the
    /// integrated loudness (ITU-R BS.1770) of the compared sound at both ears, with the head facing front.
    ///
    /// - Parameters:
    ///   - progress: receives the fraction done; returns false to stop.
    /// - Throws: the errors of the renders, and `SessionError` if the sound has no loudness.
    package static func matched(
        _ sets: [ComparedSet], with programme: ComparedProgramme, on stage: StageSettings, _ progress: (Double) -> Bool
    ) throws(SessionError) -> [ComparedSet] {
        let scratch = programme.path + "-ears.wav"
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        var matched = sets
        for index in sets.indices {
            var goesOn = true
            let report = try OfflineSession.render(
                RenderSettings(
                    stage: settings(sets[index], programme, stage), input: programme.path, output: scratch,
                    written: OutputChoice(decide: { (_) throws(SessionError) in .anything }))
            ) { share in
                goesOn = progress((Double(index) + share) / Double(sets.count))
                return goesOn
            }
            guard let loudness = report.earLoudness.integrated else {
                throw SessionError(.input, "there is no sound to compare sets with; name another --input or --from")
            }
            matched[index].loudness = loudness
        }
        let softest = matched.reduce(Double.infinity) { min($0, $1.loudness) }
        for index in sets.indices {
            matched[index].gain = softest - matched[index].loudness
            matched[index].loudness = softest
        }
        return matched
    }

    /// Returns the stage's settings with a set, its gain, and the layout of the programme.
    package static func settings(
        _ set: ComparedSet, _ programme: ComparedProgramme, _ stage: StageSettings
    ) -> StageSettings {
        var settings = stage
        settings.layout = programme.layout
        settings.choices.ambisonics = programme.ambisonics ?? settings.choices.ambisonics
        settings.hrtf = set.path
        settings.gain += set.gain
        return settings
    }
}
