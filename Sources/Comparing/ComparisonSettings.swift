import AudioIO
import Foundation
import Listening
import Loading
import Session
import Soundstage
import Stages

/// Settings of a comparison of HRTF sets.
package struct ComparisonSettings: Sendable {
    /// The sets, the questions, the confidence and the number of rounds.
    package var plan: ListeningPlan
    /// The sound of the comparison.
    package var programme: ListeningSheet.Programme
    /// Channel order of a file that does not declare it.
    package var order: ChannelOrder?
    /// Path of the answer sheet, which is written after each answer; nil writes none.
    package var sheet: String?
    /// Whether the sheet may replace an existing file: the user has agreed, or the file is the sheet that is continued.
    package var replacesSheet = false
    /// Rounds answered so far, in a continued comparison.
    package var answered: [ListeningRound]

    /// Makes settings; see the properties. `replacesSheet` is false.
    package init(
        plan: ListeningPlan, programme: ListeningSheet.Programme = .init(), order: ChannelOrder? = nil,
        sheet: String? = nil, answered: [ListeningRound] = []
    ) {
        (self.plan, self.programme, self.order) = (plan, programme, order)
        (self.sheet, self.answered) = (sheet, answered)
    }

    /// The stage's settings common to all sets.
    ///
    /// - Throws: if the sheet's ambisonics or preparation has a value that no parameter accepts.
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
