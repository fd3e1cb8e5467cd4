import ArgumentParser
import Comparing
import Foundation
import Listening
import Loading
import Session
import Stages
import Takes

extension HRTFCommand {
    /// `hrtf compare`: finds the set that fits a listener, by blind comparison.
    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds by blind comparison which set fits you best.",
            discussion: """
                Examples:
                  proscenium hrtf compare kemar generated my.sofa --connect-out physical
                  proscenium hrtf compare kemar generated --sheet answers.json
                  proscenium hrtf compare kemar generated --render pairs
                  proscenium hrtf compare --evaluate pairs/sheet.json

                In each round two sets play, equally loud, without their names, and one question is asked. Keys: \
                \(CompareTerminal.sentence); ? shows them. The answers so far decide which pair is next, so that few rounds are \
                needed. Some rounds compare a set with itself, or repeat a question, to test how reliable the answers are. \
                Without a terminal, each line of standard input is an answer: 1, 2 or u; q ends.
                """)

        @Argument(
            help: "Sets, at least two: names or .sofa files; 'hrtf list' shows the installed sets.",
            completion: .sets)
        var sets: [String] = []

        @OptionGroup(title: "Comparison") var choices: CompareOptions

        @Option(
            help: ArgumentHelp(
                "Write the answer sheet to a file after each answer (with --resume: to the resumed sheet).",
                valueName: "file"),
            completion: .file())
        var sheet: String?
        @Option(
            help: ArgumentHelp("Continue an answer sheet; its sets need not be named.", valueName: "file"),
            completion: .file())
        var resume: String?
        @Option(
            help: ArgumentHelp(
                "Play nothing: write pairs of sound files and a sheet to fill in into a folder.", valueName: "folder"),
            completion: .directory)
        var render: String?
        @Option(
            help: ArgumentHelp("Play nothing: print the result of an answer sheet.", valueName: "file"),
            completion: .file())
        var evaluate: String?
        @OptionGroup var former: OverwriteOption
        @Flag(help: "Print the result as JSON.") var json = false

        @OptionGroup var place: ClientPlace
        @OptionGroup(title: "Head tracking") var tracking: TrackingOptions

        func validate() throws {
            let ways = [resume, render, evaluate].compactMap(\.self).count
            guard ways <= 1 else { throw ValidationError("--resume, --render and --evaluate exclude each other") }
            guard evaluate == nil || sets.isEmpty else {
                throw ValidationError("--evaluate takes its sets from the sheet; name none")
            }
            guard sheet == nil || (render == nil && evaluate == nil) else {
                throw ValidationError("--sheet is for comparing by ear; --render writes a sheet of its own")
            }
        }

        func run() async throws {
            if let evaluate { return try tell(ListeningResult(CompareOptions.sheet(at: evaluate))) }
            let taken = try resume.map { try CompareOptions.sheet(at: $0) }
            let plan = try choices.plan(sets, of: taken, at: resume)
            var settings = choices.settings(plan, of: taken, sheet: sheet ?? resume)
            settings.replacesSheet = try replaces(sheet)
            if let render { return try write(settings, to: render) }
            if let taken {
                // The test may be over already, unless the options demand more rounds or confidence.
                let sheet = ListeningSheet(
                    plan, sources: taken.sources, programme: taken.programme, rounds: taken.rounds)
                if ListeningTest(sheet).end != nil { return try tell(ListeningResult(sheet)) }
            }
            try await listen(settings)
        }

        /// Returns whether the sheet may replace an existing file; the resumed sheet always may.
        private func replaces(_ sheet: String?) throws(SessionError) -> Bool {
            guard let sheet, sheet != resume else { return true }
            do {
                return try former.settle([sheet], keeping: [choices.input]).covers(sheet)
            } catch {
                throw FileManager.default.fileExists(atPath: sheet)
                    ? SessionError(error.fault, "\(error); --resume \(sheet) continues it") : error
            }
        }

        private func write(_ settings: ComparisonSettings, to folder: String) throws {
            let interrupt = Interrupt()
            let progress = Progress("compare")
            defer { progress.finish() }
            let path = try BlindRenders.write(
                settings, to: folder, decide: former.decision, tell: { say("note: " + $0) },
                progress: progress.until(interrupt))
            progress.finish()
            say("\(path): \(settings.plan.rounds) rounds to listen to; write 1, 2 or u as each answer, then:")
            say("  proscenium hrtf compare --evaluate \(path)")
        }

        private func listen(_ settings: ComparisonSettings) async throws {
            let interrupt = Interrupt()
            var live = LiveSettings(
                stage: try settings.stage, tracking: tracking.settings, name: place.name, connectOut: place.connectOut)
            live.isWanted = { !interrupt.isRequested }
            live.stage.reader = ChildReader(isWanted: live.isWanted)
            live.stage.keepsRooms = true
            LineOutput.standardError.waitBriefly()
            let progress = Progress("equal loudness")
            let comparison: EarComparison
            do {
                defer { progress.finish() }
                comparison = try EarComparison(
                    settings, live: live, in: SessionEnvironment(tell: Preparation().tell),
                    progress: progress.until(interrupt))
            }
            interrupt.tell { Task { await comparison.quit() } }
            let seat = CompareTerminal(comparison)
            var failure: (any Error)?
            do { try await comparison.play { await seat.open() } } catch { failure = error }
            await seat.close()
            for line in await comparison.closing { say(line) }
            let sheet = await comparison.sheet
            // The answers count even after a failure.
            if failure == nil || !sheet.rounds.isEmpty { try tell(ListeningResult(sheet)) }
            if let failure { throw failure }
            if interrupt.isRequested { throw ExitCode(130) }
        }

        private func tell(_ result: ListeningResult) throws {
            if json { return try JSONText.print(result) }
            for line in result.lines { print(line) }
        }
    }
}
