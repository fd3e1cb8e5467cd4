import ArgumentParser
import Control
import Foundation
import Session

/// What `ctl` asks of the recording of the ears.
extension ControlCommand {
    struct Record: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Begins and completes takes of what the stage plays, and sets markers in them.",
            discussion: """
                Examples: proscenium ctl record start take.wav; proscenium ctl record marker 'second verse';
                proscenium ctl record stop

                Nothing is replaced: where there is a take.wav, take-2.wav is recorded, and so on.
                """,
            subcommands: [Start.self, Stop.self, Marker.self])

        struct Start: RecordRequest {
            static let configuration = CommandConfiguration(
                abstract: "Begins a take; prints its file.",
                discussion: "Example: proscenium ctl record start take.wav")
            @OptionGroup var port: ControlPort
            @Argument(
                help: ArgumentHelp(
                    "The file; its name may end in .wav, .rf64, .bw64, .w64, .caf, .aiff or .flac. Without one the next take of the last name, at first ears.wav in the session's folder of recordings.",
                    valueName: "file"),
                completion: .file(), transform: TypedPath.whole)
            var file: String?

            var command: RecordCommand { .start(file: file) }

            static func words(_ recording: RecordingStatus) -> String { recording.file }
        }

        struct Stop: RecordRequest {
            static let configuration = CommandConfiguration(
                abstract: "Completes the take; prints its file and length.",
                discussion: "Example: proscenium ctl record stop")
            @OptionGroup var port: ControlPort

            var command: RecordCommand { .stop }

            static func words(_ recording: RecordingStatus) -> String { StatusText.recording(recording) }
        }

        struct Marker: RecordRequest {
            static let configuration = CommandConfiguration(
                abstract: "Sets a marker at what is heard now; prints it.",
                discussion: "Example: proscenium ctl record marker 'second verse'")
            @OptionGroup var port: ControlPort
            @Argument(help: ArgumentHelp("What it is called; without one by its number.", valueName: "name"))
            var name: String?

            func validate() throws {
                guard let name, RecordCommand.name(name) == nil else { return }
                throw ValidationError("a marker's name has 1 to \(RecordCommand.longestName) bytes")
            }

            var command: RecordCommand { .marker(name: name.flatMap(RecordCommand.name)) }

            static func words(_ recording: RecordingStatus) -> String {
                recording.marker.map { "\($0.name) at \(StatusText.time($0.seconds)) of \(recording.file)" } ?? ""
            }
        }
    }
}

/// A subcommand that asks something of the recording and prints what came of it.
protocol RecordRequest: AsyncParsableCommand {
    /// Where the session listens.
    var port: ControlPort { get }
    /// What is asked for.
    var command: RecordCommand { get }
    /// What came of it, in words.
    static func words(_ recording: RecordingStatus) -> String
}

extension RecordRequest {
    func run() async throws {
        let answer = try await port.request(.record(command))
        guard let recording = try? JSONDecoder().decode(RecordingStatus.self, from: Data(answer.utf8)) else {
            return print(answer)
        }
        print(Self.words(recording))
    }
}
