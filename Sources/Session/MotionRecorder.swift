import Geometry
import Rendering

/// Writes a session's motion log: the poses a renderer used, every bit of them, and what reached the tracker.
///
/// The file grows only at its end: where the stream starts anew a line says so, and a reader forgets the poses before it.
/// One thread at a time.
final class MotionRecorder {
    private let path: String
    private let file: RecordingFile
    /// Frames between two poses of a stream that nothing was lost from.
    private let step: Int
    private var lastFrame = -1
    private var lost = 0

    /// Opens the temporary file. `step`: frames from one pose to the next, the renderer's fade.
    init(path: String, _ circumstances: MotionRecording.Circumstances, step: Int) throws(SessionError) {
        self.path = path
        self.step = step
        file = try RecordingFile(path: path, beginning: MotionLine.header(circumstances))
    }

    /// Appends what came since the last call.
    func append(_ records: [PoseRecord], _ events: [MotionEvent]) throws(SessionError) {
        var text = events.map(MotionLine.event).joined()
        for record in records {
            if record.streamFrame <= lastFrame || lastFrame < 0 {
                text += MotionLine.start
                lost = 0
            } else {
                lost += (record.streamFrame - lastFrame) / step - 1
            }
            lastFrame = record.streamFrame
            text += MotionLine.pose(
                MotionRecording.Pose(
                    frame: record.streamFrame, headToStage: record.headToStage,
                    heardAt: record.heardAt.isFinite ? record.heardAt : nil))
        }
        try file.append(text)
    }

    /// Completes the file under its own name.
    func finish() throws(SessionError) {
        try file.finish()
        if lost > 0 {
            throw SessionError(.environment, "\(path) lacks \(lost) poses: this computer was too busy to write them")
        }
    }
}
