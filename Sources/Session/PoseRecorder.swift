import Foundation
import Geometry
import Rendering
import Signal

/// Writes the poses a renderer used, since the last stream start, as the CSV that `--poses` reads.
///
/// The file is written under a temporary name beside its own and appears only when `finish` succeeds. One thread at a time.
final class PoseRecorder {
    private let path: String
    private let temporary: String
    private let file: FileHandle
    private let sampleRate: SampleRate
    private var lastFrame = -1

    /// Opens the temporary file.
    init(path: String, sampleRate: SampleRate) throws(SessionError) {
        self.path = path
        self.sampleRate = sampleRate
        temporary = path + ".part-\(ProcessInfo.processInfo.processIdentifier)"
        guard FileManager.default.createFile(atPath: temporary, contents: Data("t,w,x,y,z\n".utf8)),
            let file = FileHandle(forWritingAtPath: temporary)
        else {
            throw SessionError(.environment, "cannot write \(path): the folder is missing or may not be written to")
        }
        self.file = file
        _ = try? file.seekToEnd()
    }

    /// Appends records. A stream that starts anew starts the log anew.
    func append(_ records: [PoseRecord]) throws(SessionError) {
        var text = ""
        var begun = false
        for record in records {
            if record.streamFrame <= lastFrame {
                text = ""
                begun = true
            }
            lastFrame = record.streamFrame
            let q = record.headToStage
            let seconds = Double(record.streamFrame) / sampleRate.hertz
            text += String(format: "%.9f,%.9f,%.9f,%.9f,%.9f\n", seconds, q.w, q.x, q.y, q.z)
        }
        do {
            if begun {
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: Data("t,w,x,y,z\n".utf8))
            }
            try file.write(contentsOf: Data(text.utf8))
        } catch {
            throw SessionError(.environment, "cannot write \(path): \(error.localizedDescription)")
        }
    }

    /// Completes the file under its own name.
    func finish() throws(SessionError) {
        try? file.close()
        guard rename(temporary, path) == 0 else {
            throw SessionError(.environment, "cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }
}
