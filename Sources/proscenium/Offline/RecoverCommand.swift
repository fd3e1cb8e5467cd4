import ArgumentParser
import AudioIO
import Foundation
import Loading

/// `proscenium recover`: repairs interrupted takes.
struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Recovers interrupted recordings: NAME.part becomes NAME-recovered.",
        discussion: """
            Example: proscenium recover ears.wav.part motion.ndjson.part

            'run' and 'preview' record into NAME.part until they end. After a kill the recording lacks at most the last \
            half second, after a power failure the last five seconds. The next '--record' of the same name also recovers it. A \
            complete recording is left as it is.
            """)

    @Argument(help: "The .part files.", completion: .file(extensions: ["part"])) var parts: [String]
    @Flag(help: "Print part, path and seconds as JSON.") var json = false

    func run() throws {
        var recovered: [RecoveredTake] = []
        var failure: SessionError?
        for part in parts {
            do throws(SessionError) {
                try Self.look(at: part)
                let take = try Self.recovered(part)
                recovered.append(take)
                if !json { print(take.line) }
            } catch {
                // One failure does not stop the recovery of the others.
                if let failure { say("proscenium: \(failure.description)") }
                failure = error
            }
        }
        if json { try JSONText.print(recovered) }
        if let failure { throw failure }
    }

    /// Returns the recording at a path, recovered unless it is complete already.
    private static func recovered(_ part: String) throws(SessionError) -> RecoveredTake {
        if let finished = RecoveredTake(finished: part) { return finished }
        do throws(SoundFileError) { return try RecoveredTake(recovering: part) } catch { throw SessionError(error) }
    }

    /// Throws if `part` is missing, is a folder, or has a cut-off NAME.part beside it.
    private static func look(at part: String) throws(SessionError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: part, isDirectory: &isFolder) else {
            let left = part + ".part"
            let hint = FileManager.default.fileExists(atPath: left) ? "; there is \(left): name that" : ""
            throw SessionError(.input, "\(part): there is no such file\(hint)")
        }
        guard !isFolder.boolValue else {
            throw SessionError(.input, "\(part) is a folder; name the files in it that end in .part")
        }
        if !part.hasSuffix(".part"), FileManager.default.fileExists(atPath: part + ".part") {
            throw SessionError(.usage, "\(part) is complete; the interrupted file is \(part).part: name that")
        }
    }
}
