import ArgumentParser
import Foundation
import SOFA

/// `proscenium sofa`: describes, checks, draws and converts SOFA files.
struct SOFACommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sofa", abstract: "Describes, checks, draws and converts SOFA files.",
        discussion: """
            Example:
              proscenium sofa check *.sofa
            """,
        subcommands: [Info.self, Check.self, Plot.self, Convert.self, Read.self])
}

extension SOFACommand {
    /// Arguments of `info` and `check`.
    struct Files: ParsableArguments {
        @Argument(help: "SOFA files, or folders of them.", completion: .file(extensions: ["sofa"]))
        var files: [String]

        @Flag(help: "Print JSON.")
        var json = false

        /// Paths of the named files, and of the .sofa files in each named folder and its subfolders, sorted within the
        /// folder. Links to folders are not followed. A folder without .sofa files is listed itself.
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

    /// `sofa check`: tests whether files can be used.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reports for each file whether it can be used.",
            discussion: """
                Prints ok, warn or reject, the file and the reason, separated by tabs. Of a folder, every file in it whose name \
                ends in .sofa is checked, as many at a time as there are processors. Exit code 0 if no file is rejected, 1 \
                otherwise.

                Example:
                  proscenium sofa check *.sofa
                """)

        @OptionGroup var input: Files

        func run() async throws {
            let (paths, json) = (input.paths, input.json)
            let isRejected = try await interruptible { interrupt in
                let watch = BatchProgress("sofa check", count: paths.count)
                defer { watch.finish() }
                var rejected = false
                var entries: [[String: String]] = []
                await FileBatch.run(paths, width: ProcessInfo.processInfo.activeProcessorCount) { index, path in
                    SOFAVerdict(path) { share in
                        watch.show(share, of: index)
                        return !Task.isCancelled
                    }
                } deliver: { index, verdict in
                    watch.finish(index)
                    rejected = rejected || verdict.word == .reject
                    if json {
                        entries.append([
                            "verdict": verdict.word.rawValue, "file": paths[index], "reason": verdict.reason,
                        ])
                    } else {
                        print("\(verdict.word.rawValue)\t\(paths[index])\t\(verdict.reason)")
                    }
                    return true
                }
                if json { try JSONText.print(entries) }
                return rejected
            }
            if isRejected { throw ExitCode(Failure.Fault.input.rawValue) }
        }
    }
}
