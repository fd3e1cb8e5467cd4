import ArgumentParser
import AudioIO
import Foundation
import Loading
import Offline
import SOFA
import Session
import Takes

/// The programmes of an offline command and their outputs: `IN OUT`, or any number of programmes and a folder.
struct ProgrammeFiles: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The programme and the output file; with --to-folder, programmes only. Any format libsndfile reads; '-' is standard input or output.",
            valueName: "in-out"),
        completion: .file())
    var files: [String]
    @Option(
        help: ArgumentHelp(
            "Folder of the outputs, NAME.wav or as --format has it; every named file is then a programme. As many are made at once as there are processors.",
            valueName: "folder"),
        completion: .directory)
    var toFolder: String?

    /// A programme and its output.
    struct Pair: Sendable, Hashable {
        let input: String, output: String
    }

    /// Throws if the named files do not fit the options. The parser runs first and reports unknown options, whose
    /// values look like files.
    private func check() throws {
        let line = ForeignLine.translated(TypedWords.all).map { "; this works: \($0)" } ?? ""
        guard let toFolder else {
            guard files.count != 2 else { return }
            guard files.count > 2 else {
                throw Failure(.usage, "\(files[0]) has no output: name it, IN OUT, or add --to-folder FOLDER\(line)")
            }
            let meant = MeantOption(TypedWords.all).hint(for: files[2]).map { "; \($0)" } ?? ""
            throw Failure(
                .usage,
                "\(files.count) files are named; without --to-folder there are two, IN and OUT\(line.isEmpty ? meant : line)"
            )
        }
        guard !toFolder.isEmpty else { throw Failure(.usage, "--to-folder takes the name of a folder") }
        guard !files.contains("-") else {
            throw Failure(.usage, "standard input has no name for a file in --to-folder")
        }
    }

    /// Returns the pairs.
    ///
    /// - Parameter ending: extension of outputs in a folder, without its dot.
    func pairs(ending: String) throws -> [Pair] {
        try check()
        guard let toFolder else { return [Pair(input: files[0], output: StandardStream.output(files[1]))] }
        let folder = toFolder.hasSuffix("/") ? String(toFolder.dropLast()) : toFolder
        return files.map { file in
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let stem = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? String(name[..<$0]) : nil } ?? name
            return Pair(input: file, output: "\(folder)/\(stem).\(ending)")
        }
    }

    /// Throws a usage error where two programmes would have one output; `outputs` has all files of each pair.
    static func check(_ pairs: [Pair], outputs: [[String]]) throws {
        var first: [String: String] = [:]
        for (pair, outputs) in zip(pairs, outputs) {
            for output in outputs {
                if let other = first.updateValue(pair.input, forKey: output) {
                    throw Failure(.usage, "\(other) and \(pair.input) would both become \(output): rename one of them")
                }
            }
        }
    }

    /// Makes the folder.
    func prepare() throws {
        guard let toFolder else { return }
        do { try FileManager.default.createDirectory(atPath: toFolder, withIntermediateDirectories: true) } catch {
            throw Failure(.environment, "\(toFolder) cannot be made: \((error as NSError).localizedDescription)")
        }
    }
}

/// Runs an offline command on all its programmes: as many at once as there are processors, with one progress display. A
/// programme that fails is named, and the others are still made; the status is then 1.
///
/// - Parameters:
///   - outputs: all files that a pair makes, for the question whether former ones are replaced.
///   - work: makes one pair on the calling thread; `progress` returns false once the user has requested the end.
func reportAll<Report: SpokenReport & Sendable>(
    _ what: String, _ files: ProgrammeFiles, _ written: OutputOptions, json: Bool,
    outputs: (ProgrammeFiles.Pair) -> [String] = { [$0.output] },
    _ work:
        @escaping @Sendable (
            _ pair: ProgrammeFiles.Pair, _ written: OutputChoice, _ progress: (Double) -> Bool
        ) throws(SessionError) -> Report
) async throws {
    let pairs = try files.pairs(ending: written.format?.ending ?? "wav")
    let choice = written.choice
    guard files.toFolder != nil else {
        try refuseMixture(pairs[0].output, json: json)
        return try await report(what, json: json) { progress in try work(pairs[0], choice, progress) }
    }
    let outputs = pairs.map(outputs)
    try ProgrammeFiles.check(pairs, outputs: outputs)
    try files.prepare()
    let replacement = try choice.decide(outputs.flatMap(\.self))
    var settled = choice
    settled.decide = { (_) throws(SessionError) in replacement }
    let decided = settled
    let interrupt = Interrupt()
    let watch = BatchProgress(what, count: pairs.count)
    defer { watch.finish() }
    var reports: [Report] = []
    var failed = 0
    try await FileBatch.run(pairs.map(\.input), width: ProcessInfo.processInfo.activeProcessorCount) { index, _ in
        do throws(SessionError) {
            return Result<Report, SessionError>.success(
                try work(pairs[index], decided) { share in
                    watch.show(share, of: index)
                    return !interrupt.isRequested
                })
        } catch {
            return .failure(error)
        }
    } deliver: { index, result in
        watch.finish(index)
        switch result {
        case .success(let found):
            if json { reports.append(found) } else { found.lines.forEach { say($0) } }
        case .failure(let error):
            if case .interrupted = error.fault { throw error }
            failed += 1
            // The line names the input file, even if the error concerns the output.
            let says = Failure(error).message
            say("proscenium: " + (says.contains(pairs[index].input) ? says : "\(pairs[index].input): \(says)"))
        }
        return true
    }
    watch.finish()
    if json { try JSONText.print(reports) }
    if failed > 0 {
        say("\(failed) of \(pairs.count) files were not made")
        throw ExitCode(Failure.Fault.input.rawValue)
    }
}
