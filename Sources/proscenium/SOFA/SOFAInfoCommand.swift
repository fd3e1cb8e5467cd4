import ArgumentParser
import Foundation
import SOFA
import Takes

extension SOFACommand {
    /// `sofa info`: describes files.
    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reports what a SOFA file holds: a head for --hrtf, a room for --room, or a headphone.",
            discussion: """
                Reads attributes and positions, and with --levels all responses, too. Without --levels large files take no longer than \
                small ones. The directions of a single file are drawn in the terminal.

                Examples:
                  proscenium sofa info subject_003.sofa
                  proscenium sofa info subject_003.sofa --levels --svg grid.svg
                """)

        @OptionGroup var input: Files
        @Flag(help: "Report the levels of the responses; all of them are read.") var levels = false
        @Option(
            help: ArgumentHelp("Draw the directions of a single file into this SVG file.", valueName: "file"),
            completion: .file())
        var svg: String?
        @OptionGroup var former: OverwriteOption

        func run() async throws {
            let (paths, json, levels) = (input.paths, input.json, levels)
            guard svg == nil || paths.count == 1 else {
                throw Failure(.usage, "--svg draws one file; \(paths.count) were named")
            }
            let replacement = try former.settle([svg], keeping: paths.map { $0 })
            let svg = svg
            let isRejected = try await interruptible { _ in
                let watch = BatchProgress("sofa info", count: paths.count)
                defer { watch.finish() }
                var rejected = false
                var entries: [[String: any Sendable]] = []
                try await FileBatch.run(paths, width: ProcessInfo.processInfo.activeProcessorCount) { index, path in
                    await Result { () async throws(SOFAError) in
                        let inspection = SOFAInspection(path) { name, phase in
                            if case .loading(let share) = phase, name == .levels { watch.show(share, of: index) }
                        }
                        return try await SOFADescription(inspection, levels: levels)
                    }
                } deliver: { index, result in
                    watch.finish(index)
                    switch result {
                    case .success(let description):
                        rejected = rejected || !description.faults.isEmpty
                        if json {
                            entries.append(description.entry)
                        } else {
                            print(description.text)
                            if paths.count == 1 { description.grid?.lines.forEach { print($0) } }
                            for fault in description.faults { say("\(paths[index]): \(fault)") }
                        }
                        if let svg { try draw(description, svg, replacement) }
                    case .failure(let error):
                        rejected = true
                        if json {
                            entries.append(["file": paths[index], "error": error.reason])
                        } else {
                            say(error.description)
                        }
                    }
                    return true
                }
                if json { try JSONText.print(entries as [[String: Any]]) }
                return rejected
            }
            if isRejected { throw ExitCode(Failure.Fault.input.rawValue) }
        }
    }
}

/// Draws a file's directions as SVG. Throws if the file has none.
private func draw(_ description: SOFADescription, _ svg: String, _ replacement: Replacement) throws {
    guard let grid = description.grid else {
        throw Failure(.input, "\(description.path): has no directions to draw")
    }
    try DrawingFile.write(grid.drawing(title: description.title), svg: svg, replacing: replacement)
}

extension Result {
    /// Runs asynchronous work; stores its value or its error.
    fileprivate init(_ work: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
