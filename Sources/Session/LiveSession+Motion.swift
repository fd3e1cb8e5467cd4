import AudioIO
import HRTF
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
        if let path = settings.recordPoses {
            poseRecorder = try PoseRecorder(path: path, sampleRate: client.sampleRate)
        }
        if let path = settings.recordMotion {
            motionRecorder = try MotionRecorder(
                path: path, circumstances(client), step: renderer.configuration.fadeFrames,
                names: renderer.askable.map(\.programme.name))
        }
    }

    /// What a motion log says of this session.
    private func circumstances(_ client: JACKClient) -> MotionRecording.Circumstances {
        MotionRecording.Circumstances(
            sampleRate: client.sampleRate.hertz, slice: settings.stage.slice, period: client.periodFrames,
            layout: layout.name, hrtf: stage.assembly.report.name, head: settings.tracking.head,
            device: settings.tracking.device, yawPull: settings.tracking.yawPull,
            room: stage.assembly.roomWord, upmix: stage.assembly.openingWord)
    }

    /// Writes the poses rendered since the last call, and what the trackers said.
    func recordMotion() throws(SessionError) {
        guard poseRecorder != nil || motionRecorder != nil else { return }
        let poses = stage.assembly.renderer.drainPoses()
        try poseRecorder?.append(poses)
        // Poses first: what was asked for and expected before them is there by then.
        let turns = stage.assembly.renderer.drainTurns()
        let changes = stage.assembly.renderer.drainChanges()
        try motionRecorder?.append(poses, journal?.drain() ?? [], changes, turns)
    }
}
