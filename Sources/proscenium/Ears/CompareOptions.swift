import ArgumentParser
import Comparing
import Foundation
import Listening
import Session
import Soundstage
import Stages

/// Options of `hrtf compare`: programme, room, preparation and questions; confidence and number of rounds.
struct CompareOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A sound file to compare with instead of the built-in bursts of noise.", valueName: "file"),
        completion: .file())
    var input: String?
    @Option(help: ArgumentHelp("Begin at this time of the file; at most 25 seconds are used.", valueName: "seconds"))
    var from: Double?
    @Option(
        help: ArgumentHelp("Layout of the file: a name or a JSON file of loudspeakers.", valueName: "layout"),
        completion: .layouts)
    var layout: String?
    @Option(help: "A sound field's convention: sn3d (AmbiX), n3d or fuma (default: as the file states, else sn3d).")
    var ambisonics: AmbisonicFormat.Convention?
    @OptionGroup var channels: OrderOption
    @Option(
        help: ArgumentHelp(
            "Room for all sets: \(RoomSettings.names.joined(separator: ", ")).", valueName: "room"),
        completion: .rooms)
    var room: String?
    @OptionGroup(title: "Preparation of all sets") var preparation: ParameterOptions<PreparationRows>
    @Option(
        help: ArgumentHelp(
            "The question: outside (the head), front-back, elevation, or all of them in turn.", valueName: "question"),
        completion: .list(ListeningQuestion.names))
    var question: String = "all"
    @Option(
        help: ArgumentHelp(
            "Probability at which a best set is stated, 0.5 to 0.999 (default: 0.9).", valueName: "share"))
    var confidence: Double?
    @Option(
        help: ArgumentHelp(
            "Rounds at most (default: 12, and 6 for each set).", valueName: "count")) var rounds: Int?
    @Option(
        help: ArgumentHelp(
            "Seed of the order of pairs, and of the two sets in each; the same number gives the same order.",
            valueName: "number"))
    var seed: UInt64?

    func validate() throws {
        if let from, !(from.isFinite && from >= 0) {
            throw ValidationError("--from must be seconds ≥ 0, not \(from)")
        }
        guard ListeningQuestion.named(question) != nil else {
            throw ValidationError(
                "--question takes \(ListeningQuestion.names.joined(separator: ", ")), not '\(question)'")
        }
    }

    /// Returns the plan for `sets`. For a resumed sheet: the sheet's plan, with the given confidence and rounds.
    func plan(_ sets: [String], of former: ListeningSheet?, at path: String?) throws -> ListeningPlan {
        do throws(ListeningError) {
            guard let former, let path else {
                return try ListeningPlan(
                    sets: sets, questions: ListeningQuestion.named(question) ?? [], confidence: confidence ?? 0.9,
                    rounds: rounds, seed: seed ?? UInt64.random(in: 0...999_999))
            }
            guard !former.isToFillIn else { throw .toFillIn(path: path) }
            let plan = former.plan
            guard sets.isEmpty || sets == plan.sets else {
                throw .otherSets(path: path, sheet: plan.sets, asked: sets)
            }
            return try ListeningPlan(
                sets: plan.sets, questions: plan.questions, confidence: confidence ?? plan.confidence,
                rounds: rounds ?? plan.rounds, seed: plan.seed)
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    /// Returns the settings of a comparison; options take precedence over the resumed sheet's programme.
    func settings(_ plan: ListeningPlan, of former: ListeningSheet?, sheet: String?) -> ComparisonSettings {
        var programme = former?.programme ?? ListeningSheet.Programme()
        programme.input = input ?? programme.input
        programme.from = from ?? programme.from
        programme.layout = layout ?? programme.layout
        programme.ambisonics = ambisonics?.rawValue ?? programme.ambisonics
        programme.room = room ?? programme.room
        for change in preparation.changes {
            programme.preparation = programme.preparation ?? [:]
            programme.preparation?[change.parameter.id] = change.value.written.joined(separator: ",")
        }
        return ComparisonSettings(
            plan: plan, programme: programme, order: channels.order, sheet: sheet, answered: former?.rounds ?? [])
    }

    /// Reads an answer sheet.
    static func sheet(at path: String) throws -> ListeningSheet {
        do throws(ListeningError) { return try ListeningSheet(contentsOf: path) } catch {
            throw Failure(.input, error.description)
        }
    }
}
