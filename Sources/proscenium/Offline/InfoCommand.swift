import ArgumentParser
import Foundation
import Loading
import Offline

/// `proscenium info`: describes sound files.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Says what a sound file holds, and what each command makes of it.",
        discussion: """
            Examples:
              proscenium info film.wav
              proscenium info --json *.wav

            Layout and what says it, rate, length, channels, texts, markers, ADM definitions, and the figures kept beside the file; \
            then for each command its result and a line that works. Only the header is read, and of sound fields some seconds.
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
