import Geometry
import IMU
import MotionLogs
import Rendering

/// Head poses that the user gives as a file: a pose log, or the motion log of a session.
package struct RecordedMotion {
    /// The poses, for a renderer.
    package let poses: PoseSource
    /// The motion log; nil for a pose log.
    package let recording: MotionRecording?

    /// Reads the motion log at a path, or else the pose log; nil if neither is given. Must not be called on the audio
    /// thread.
    package init?(motion: String?, poses: String?) throws(SessionError) {
        if let motion {
            let read = try MotionRecording(at: motion)
            do throws(RenderingError) { self.poses = .log(try read.poseLog()) } catch {
                throw SessionError(.input, "\(motion): \(error)")
            }
            recording = read
        } else if let poses {
            let log: OrientationLog<Head, Stage>
            do throws(TrackerError) { log = try OrientationLog(contentsOf: poses) } catch { throw SessionError(error) }
            do throws(RenderingError) {
                let entries = zip(log.times, log.poses).map { PoseLog.Entry(seconds: $0, headToStage: $1) }
                self.poses = .log(try PoseLog(entries))
            } catch {
                throw SessionError(.input, "\(poses): \(error)")
            }
            recording = nil
        } else {
            return nil
        }
    }
}

extension MotionRecording {
    /// Reads the motion log of a session.
    package init(at path: String) throws(SessionError) {
        do throws(MotionLogError) { try self.init(contentsOf: path) } catch { throw SessionError(error) }
    }
}
