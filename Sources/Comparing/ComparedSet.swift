import Foundation
import HRTF
import Loading
import Metering
import Offline
import Session
import Soundstage
import Stages
import Takes

/// A set of head-related responses that is compared, and the gain that makes it as loud as the others.
package struct ComparedSet: Sendable, Equatable {
    /// As it was asked for.
    package let name: String
    /// Its file.
    package let path: String
    /// dB, at most 0: the softest set has 0.
    package var gain = 0.0
    /// Loudness of both ears with that gain, LUFS.
    package var loudness = 0.0

    /// Finds a set.
    ///
    /// - Throws: where there is none of that name, or it is not here.
    package init(_ name: String) throws(SessionError) {
        self.name = name
        do throws(HRTFError) { path = try DataFolders.library.locate(HRTFSelection(name)) } catch {
            throw SessionError(error)
        }
    }

    /// The sets with the gains that make both ears as loud with each of them as with the softest, the head to the
    /// front: integrated loudness by ITU-R BS.1770 of what they are compared with.
    ///
    /// - Parameters:
    ///   - progress: told the share done; answers false to stop.
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

    /// The stage with a set, as loud as it is to be.
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
