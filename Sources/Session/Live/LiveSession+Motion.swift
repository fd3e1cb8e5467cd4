import AudioIO
import HRTF
import HeadTracking
import MotionLogs
import Rendering
import Signal
import Soundstage

extension LiveSession {
    /// Has the renderer record what was asked to be recorded of motion, before it plays.
    func beginMotion() throws(SessionError) {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        if settings.recordPoses != nil || settings.recordMotion != nil { renderer.recordPoses(capacity: 1 << 17) }
        if settings.recordMotion != nil {
            renderer.recordTurns(capacity: 1 << 17)
            renderer.recordChanges(capacity: 1 << 12)
        }
        do throws(MotionLogError) {
            if let path = settings.recordPoses {
                poseRecorder = try PoseRecorder(
                    path: path, sampleRate: client.sampleRate, replaces: settings.replacesRecordings)
            }
            if let path = settings.recordMotion {
                motionRecorder = try MotionRecorder(
                    path: path, circumstances(client), step: renderer.configuration.fadeFrames,
                    names: renderer.askable.map(\.programme.name), replaces: settings.replacesRecordings)
                journal?.open()
            }
        } catch {
            throw SessionError(error)
        }
    }

    /// What a motion log says of this session.
    private func circumstances(_ client: any StageDriver) -> MotionRecording.Circumstances {
        MotionRecording.Circumstances(
            sampleRate: client.sampleRate.hertz, slice: settings.stage.slice, period: client.periodFrames,
            layout: layout.name, hrtf: stage.assembly.report.name, head: settings.tracking.head,
            device: settings.tracking.device, yawPull: settings.tracking.options.yawPull,
            room: stage.assembly.roomWord, upmix: stage.assembly.openingWord)
    }

    /// Writes the poses rendered since the last call, and what the trackers said. A recording that cannot be written on ends.
    func recordMotion() {
        guard poseRecorder != nil || motionRecorder != nil else { return }
        let poses = stage.assembly.renderer.drainPoses()
        do throws(MotionLogError) { try poseRecorder?.append(poses) } catch {
            poseRecorder = nil
            recordingEnded(settings.recordPoses ?? "", error.description)
        }
        // Poses first: what was asked for and expected before them is there by then.
        let turns = stage.assembly.renderer.drainTurns()
        let changes = stage.assembly.renderer.drainChanges()
        do throws(MotionLogError) { try motionRecorder?.append(poses, journal?.drain() ?? [], changes, turns) } catch {
            motionRecorder = nil
            journal?.close()
            recordingEnded(settings.recordMotion ?? "", error.description)
        }
    }
}
