import ArgumentParser
import Foundation
import SOFA

/// `proscenium sofa`: SOFA files, looked at closely.
struct SOFACommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sofa", abstract: "Describes and checks SOFA files.",
        discussion: """
            Example:
              proscenium sofa check *.sofa
            """,
        subcommands: [Info.self, Check.self])
}

extension SOFACommand {
    /// What both subcommands take.
    struct Files: ParsableArguments {
        @Argument(help: "SOFA files, or folders of them.")
        var files: [String]

        @Flag(help: "Print JSON.")
        var json = false

        /// The files named, and of each folder all whose name ends in .sofa, deeper folders included, in order. Links to
        /// folders are not followed. A folder without any stands for itself.
        var paths: [String] {
            files.flatMap { path -> [String] in
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
                    let walk = FileManager.default.enumerator(atPath: path)
                else { return [path] }
                let found = walk.compactMap { $0 as? String }.filter { $0.lowercased().hasSuffix(".sofa") }.sorted()
                let prefix = path.hasSuffix("/") ? path : path + "/"
                return found.isEmpty ? [path] : found.map { prefix + $0 }
            }
        }
    }

    /// `sofa info`
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what a SOFA file holds: a head for --hrtf, a room for --room, or a headphone.",
            discussion: """
                Reads attributes and positions, no responses: large files take no longer than small ones.

                Example:
                  proscenium sofa info subject_003.sofa
                """)

        @OptionGroup var input: Files

        func run() throws {
            var rejected = false
            var entries: [[String: Any]] = []
            for path in input.paths {
                do {
                    let description = try SOFADescription(path)
                    rejected = rejected || !description.faults.isEmpty
                    if input.json { entries.append(description.entry) } else { print(description.text) }
                    if !input.json { for fault in description.faults { say("\(path): \(fault)") } }
                } catch {
                    rejected = true
                    if input.json {
                        entries.append(["file": path, "error": error.reason])
                    } else {
                        say(error.description)
                    }
                }
            }
            if input.json { try JSONText.print(entries) }
            if rejected { throw ExitCode(Failure.Fault.input.rawValue) }
        }
    }

    /// `sofa check`
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says of each file whether it can be used.",
            discussion: """
                Prints ok, warn or reject, the file and the reason, separated by tabs. Of a folder, every file in it whose name \
                ends in .sofa is checked. Exit code 0 if no file is rejected, 1 otherwise.

                Example:
                  proscenium sofa check *.sofa
                """)

        @OptionGroup var input: Files

        func run() throws {
            var rejected = false
            var entries: [[String: String]] = []
            for path in input.paths {
                let verdict = SOFAVerdict(path)
                rejected = rejected || verdict.word == .reject
                if input.json {
                    entries.append(["verdict": verdict.word.rawValue, "file": path, "reason": verdict.reason])
                } else {
                    print("\(verdict.word.rawValue)\t\(path)\t\(verdict.reason)")
                }
            }
            if input.json { try JSONText.print(entries) }
            if rejected { throw ExitCode(Failure.Fault.input.rawValue) }
        }
    }
}
