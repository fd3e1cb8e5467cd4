import Foundation
import Geometry
import Rendering
import Signal
import Takes

/// Writes the renderer's poses since the last stream start, as the CSV file that `--poses` reads.
///
/// Numbers have nine decimals, which is convenient for users and other programs. `MotionRecorder` writes exact values.
/// Must be used by one thread at a time.
package final class PoseRecorder {
    private static let header = "t,w,x,y,z\n"
    private let file: LogWriter
    private let sampleRate: SampleRate
    private var lastFrame = -1

    /// Opens a temporary file. `replaces`: whether an existing file of that name is replaced on completion.
    package init(path: String, sampleRate: SampleRate, replaces: Bool = false) throws(MotionLogError) {
        self.sampleRate = sampleRate
        do throws(TakeError) { file = try LogWriter(path: path, beginning: Self.header, replaces: replaces) } catch {
            throw .take(error)
        }
    }

    /// Appends records. A new stream start clears the log.
    package func append(_ records: [PoseRecord]) throws(MotionLogError) {
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
        do throws(TakeError) {
            if begun { try file.restart() }
            try file.append(text)
        } catch {
            throw .take(error)
        }
    }

    /// Completes the file under its final name.
    package func finish() throws(MotionLogError) {
        do throws(TakeError) { try file.finish() } catch { throw .take(error) }
    }

    /// Removes the file.
    package func discard() { file.discard() }
}
