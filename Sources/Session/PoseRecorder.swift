import Foundation
import Geometry
import Rendering
import Signal

/// Writes the poses a renderer used, since the last stream start, as the CSV that `--poses` reads.
///
/// Nine decimals, for people and other programs; `MotionRecorder` keeps every bit. One thread at a time.
final class PoseRecorder {
    private static let header = "t,w,x,y,z\n"
    private let file: RecordingFile
    private let sampleRate: SampleRate
    private var lastFrame = -1

    /// Opens the temporary file.
    init(path: String, sampleRate: SampleRate) throws(SessionError) {
        self.sampleRate = sampleRate
        file = try RecordingFile(path: path, beginning: Self.header)
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
        if begun { try file.restart(Self.header) }
        try file.append(text)
    }

    /// Completes the file under its own name.
    func finish() throws(SessionError) { try file.finish() }
}
