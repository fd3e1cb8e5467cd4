import AudioIO
import Foundation
import Listening
import Loading
import Offline
import Session
import Takes

/// A comparison of HRTF sets without a JACK server: pairs of anonymous sound files, and a sheet for the answers.
package enum BlindRenders {
    /// Name of the sheet in its folder.
    package static let sheetName = "sheet.json"

    /// Writes the sheet, and two files for each round, into a folder. Creates a missing folder.
    ///
    /// - Parameters:
    ///   - decide: decides on the replacement of existing files.
    ///   - tell: receives remarks about the sound file, a line each.
    ///   - progress: receives the fraction done; returns false to stop.
    /// - Returns: path of the sheet.
    package static func write(
        _ settings: ComparisonSettings, to folder: String, decide: @escaping ReplacementDecision = OutputChoice.nothing,
        tell: (String) -> Void = { _ in }, progress: (Double) -> Bool
    ) throws(SessionError) -> String {
        let path = folder + "/" + sheetName
        let rounds = ListeningRound.all(of: settings.plan)
        let files = rounds.map { round in
            (1...2).map { "round-" + String(format: "%03d", round.number) + "-\($0).wav" }
        }
        let outputs = [path] + files.flatMap { $0.map { folder + "/" + $0 } }
        let replacement = try OutputChoice(decide: decide).settle(outputs, keeping: [settings.programme.input])
        let programme = try ComparedProgramme(settings)
        for remark in programme.remarks { tell(remark) }
        var found: [ComparedSet] = []
        for name in settings.plan.sets { found.append(try ComparedSet(name)) }
        let stage = try settings.stage
        let sets = try ComparedSet.matched(found, with: programme, on: stage) { progress($0 / 2) }
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw SessionError(.environment, "\(folder) cannot be made: \(error.localizedDescription)")
        }
        // All renders are as long as the programme. A tail is not rendered, because its length could identify the set.
        var renders: [String] = []
        for (index, set) in sets.enumerated() {
            let output = programme.path + "-\(index).wav"
            _ = try OfflineSession.render(
                RenderSettings(
                    stage: ComparedSet.settings(set, programme, stage), input: programme.path, output: output,
                    written: OutputChoice(bits: .pcm24, dither: .tpdf), tail: false)
            ) { progress(0.5 + (Double(index) + $0) / Double(2 * sets.count)) }
            renders.append(output)
        }
        // The sheet hides the sets behind a key, and leaves out the gains, which could identify them.
        let sheet = ListeningSheet(
            settings.plan, programme: settings.programme, rounds: rounds, files: files)
        try publish(sheet, at: path, zip(rounds, files).map { $0 }, of: renders, in: folder, replacing: replacement)
        return path
    }

    /// Writes the sheet and copies of the renders: all of them, or none.
    private static func publish(
        _ sheet: ListeningSheet, at path: String, _ rounds: [(ListeningRound, [String])], of renders: [String],
        in folder: String, replacing replacement: Replacement
    ) throws(SessionError) {
        var made: [UnnamedFile] = []
        do {
            let contents = try renders.map { try Data(contentsOf: URL(fileURLWithPath: $0), options: .alwaysMapped) }
            for (round, names) in rounds {
                for (set, name) in zip([round.first, round.second], names) {
                    let copy = folder + "/" + name
                    made.append(try UnnamedFile(contents[set], for: copy, replaces: replacement.covers(copy)))
                }
            }
            made.append(
                try UnnamedFile(try sheet.content(for: path), for: path, replaces: replacement.covers(path)))
            try UnnamedFile.publish(made)
        } catch {
            for file in made { file.discard() }
            throw (error as? TakeError).map { SessionError($0) } ?? SessionError(.environment, "\(error)")
        }
    }
}
