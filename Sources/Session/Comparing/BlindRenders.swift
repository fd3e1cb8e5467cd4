import AudioIO
import Foundation
import Listening

/// A comparison of sets without a server: pairs of sound files without names, and a sheet to fill in.
package enum BlindRenders {
    /// The sheet's name in its folder.
    package static let sheetName = "sheet.json"

    /// Writes two files for each round and the sheet into a folder, which is made where it is not there.
    ///
    /// - Parameters:
    ///   - tell: told what there is to say of the file, a line each.
    ///   - progress: told the share done; answers false to stop.
    /// - Returns: the sheet's path.
    package static func write(
        _ settings: ComparisonSettings, to folder: String, tell: (String) -> Void = { _ in }, progress: (Double) -> Bool
    ) throws(SessionError) -> String {
        let path = folder + "/" + sheetName
        guard !FileManager.default.fileExists(atPath: path) else {
            throw SessionError(.usage, "\(path) is there already; name another folder")
        }
        let programme = try ComparedProgramme(settings)
        for remark in programme.remarks { tell(remark) }
        var found: [ComparedSet] = []
        for name in settings.plan.sets { found.append(try ComparedSet(name)) }
        let stage = try settings.stage
        let sets = try ComparedSet.matched(found, with: programme, on: stage) { progress($0 / 2) }
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw SessionError(.environment, "\(folder) cannot be made: \(error.localizedDescription)")
        }
        // All are as long as the programme: the length of a set's filters would tell which it is.
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
        let rounds = ListeningRound.all(of: settings.plan)
        let files = rounds.map { round in
            (1...2).map { "round-" + String(format: "%03d", round.number) + "-\($0).wav" }
        }
        for (round, names) in zip(rounds, files) {
            for (set, name) in zip([round.first, round.second], names) {
                do {
                    let copy = folder + "/" + name
                    try? FileManager.default.removeItem(atPath: copy)
                    try FileManager.default.copyItem(atPath: renders[set], toPath: copy)
                } catch {
                    throw SessionError(
                        .environment, "\(folder)/\(name) cannot be written: \(error.localizedDescription)")
                }
            }
        }
        // A key hides which sets are which; their gains would tell.
        let sheet = ListeningSheet(
            settings.plan, programme: settings.programme, rounds: rounds, files: files)
        do throws(ListeningError) { try sheet.save(to: path) } catch {
            throw SessionError(.environment, error.description)
        }
        return path
    }
}
