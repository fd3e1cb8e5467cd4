import ArgumentParser
import Foundation
import Loading
import Offline

/// `proscenium info`: describes sound files.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Describes sound files, and the output of each command for them.",
        discussion: """
            Examples:
              proscenium info film.wav
              proscenium info --json *.wav

            Prints layout and its source, rate, length, channels, texts, markers, ADM definitions, and the figures in FILE.json; \
            then for each command the result and a command line that works. Only the header is read, and of a sound field some seconds.
            """)

    @Argument(help: "Sound files.", completion: .file()) var files: [String]
    @OptionGroup(title: "Input without a header") var raw: RawOptions
    @Flag(help: "Print a list of objects as JSON.") var json = false

    func run() throws {
        var described: [SoundDescription] = []
        var failure: SessionError?
        for file in files {
            do throws(SessionError) {
                let found = try SoundDescription(file, reading: raw.reading())
                if json { described.append(found) } else { found.lines.forEach { print($0) } }
            } catch {
                // A faulty file does not stop the description of the others.
                if let failure { say("proscenium: \(failure.description)") }
                failure = error
            }
        }
        if json { try JSONText.print(described) }
        if let failure { throw failure }
    }
}
