import AudioIO
import Foundation
import Listening
import Loading
import Session
import Soundstage
import Stages

/// What a comparison of sets was asked to do.
package struct ComparisonSettings: Sendable {
    /// What is compared, and how surely.
    package var plan: ListeningPlan
    /// What the sets are compared with.
    package var programme: ListeningSheet.Programme
    /// How the file's channels are ordered where it does not say.
    package var order: ChannelOrder?
    /// Where the answer sheet is written after each answer; nil: nowhere.
    package var sheet: String?
    /// Whether the sheet may replace a file of its name: one that was agreed to, or that the comparison goes on with.
    package var replacesSheet = false
    /// Answers so far, where a comparison is taken up again.
    package var answered: [ListeningRound]

    /// All choices.
    package init(
        plan: ListeningPlan, programme: ListeningSheet.Programme = .init(), order: ChannelOrder? = nil,
        sheet: String? = nil, answered: [ListeningRound] = []
    ) {
        (self.plan, self.programme, self.order) = (plan, programme, order)
        (self.sheet, self.answered) = (sheet, answered)
    }

    /// The stage that all sets share.
    ///
    /// - Throws: what a sheet says of the preparation that no parameter takes.
    package var stage: StageSettings {
        get throws(SessionError) {
            var settings = StageSettings(layout: programme.layout, room: RoomSettings(name: programme.room))
            if let word = programme.ambisonics {
                guard let convention = AmbisonicFormat.Convention(rawValue: word) else {
                    let known = AmbisonicFormat.Convention.allCases.map(\.rawValue).joined(separator: ", ")
                    throw SessionError(.input, "the sheet's ambisonics '\(word)' is none of \(known)")
                }
                settings.choices.ambisonics = convention
            }
            for (name, value) in (programme.preparation ?? [:]).sorted(by: { $0.key < $1.key }) {
                do throws(ParameterError) { settings.take([try ParameterChange(name, [value])]) } catch {
                    throw SessionError(.input, "the sheet's preparation of sets: \(error)")
                }
            }
            return settings
        }
    }
}
