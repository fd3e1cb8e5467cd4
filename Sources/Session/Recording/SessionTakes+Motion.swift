import AudioIO
import HeadTracking
import Loading
import MotionLogs
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Takes
import Trackers

/// The logs of poses and motion.
extension SessionTakes {
    /// Whether a log is open.
    var logsMotion: Bool { logs.poses != nil || logs.motion != nil }

    /// Has a renderer note what logs are made of; before it plays.
    func arm(_ renderer: StageRenderer) {
        if files.poses != nil || files.motion != nil { renderer.recordPoses(capacity: 1 << 17) }
        guard files.motion != nil else { return }
        renderer.recordTurns(capacity: 1 << 17)
        renderer.recordChanges(capacity: 1 << 12)
    }

    /// Opens the logs that are wanted of a stage, before it plays.
    func beginLogs(of stage: LiveStage) throws(SessionError) {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        arm(renderer)
        do throws(MotionLogError) {
            if let path = files.poses {
                logs.poses = try PoseRecorder(
                    path: path, sampleRate: client.sampleRate, replaces: replacement.covers(path))
            }
            if let path = files.motion {
                logs.motion = try MotionRecorder(
                    path: path, circumstances(stage), step: renderer.configuration.fadeFrames,
                    names: renderer.programmes.map(\.programme.name), replaces: replacement.covers(path))
                trackerEvents?.open()
            }
        } catch {
            throw SessionError(error)
        }
    }

    /// Another stage is about to be heard: the logs of the present one are completed, and go on in files of the next
    /// free names, whose heads name the new one. The sound goes on in its file.
    func moveLogs(from present: LiveStage, to next: LiveStage) {
        guard logsMotion else { return }
        for failure in completeLogs(of: present) { note(failure.description) }
        (files.poses, files.motion) = (self.next(after: files.poses), self.next(after: files.motion))
        // What it did unheard does not count.
        _ = (next.assembly.renderer.drainPoses(), next.assembly.renderer.drainTurns())
        do throws(SessionError) { try beginLogs(of: next) } catch { endLogs(error) }
    }

    /// The logs cannot go on.
    func endLogs(_ error: SessionError) {
        for file in [files.poses, files.motion].compactMap(\.self) { end(file, error.description) }
    }

    /// What a motion log says of this session.
    private func circumstances(_ stage: LiveStage) -> MotionRecording.Circumstances {
        MotionRecording.Circumstances(
            sampleRate: stage.client.sampleRate.hertz, slice: stage.settings.slice, period: stage.client.periodFrames,
            layout: stage.layout.name, hrtf: stage.assembly.setName, head: tracking.head, device: tracking.device,
            yawPull: tracking.options.yawPull, room: stage.assembly.roomWord, upmix: stage.assembly.upmixWord,
            headphones: stage.assembly.headphonesWord)
    }

    /// Writes the poses rendered since the last call, and what the trackers said. A log that cannot be written on ends.
    func follow(_ stage: LiveStage) {
        guard logsMotion else { return }
        let poses = stage.assembly.renderer.drainPoses()
        do throws(MotionLogError) { try logs.poses?.append(poses) } catch {
            logs.poses = nil
            end(files.poses ?? "", error.description)
        }
        // Poses first: what was asked for and expected before them is there by then.
        let turns = stage.assembly.renderer.drainTurns()
        let changes = stage.assembly.renderer.drainChanges()
        do throws(MotionLogError) {
            try logs.motion?.append(
                poses, trackerEvents?.drain() ?? [], changes, turns, plugins: stage.assembly.plugins.recorded,
                headphones: stage.assembly.headphonesWord)
        } catch {
            logs.motion = nil
            trackerEvents?.close()
            end(files.motion ?? "", error.description)
        }
    }

    /// Completes the logs; what is not well with them.
    func completeLogs(of stage: LiveStage) -> [SessionError] {
        var failures: [SessionError] = []
        follow(stage)
        do throws(MotionLogError) { try logs.poses?.finish() } catch { failures.append(SessionError(error)) }
        do throws(MotionLogError) { try logs.motion?.finish() } catch { failures.append(SessionError(error)) }
        if let trackerEvents, trackerEvents.lost > 0 {
            failures.append(
                SessionError(
                    .environment,
                    "\(files.motion ?? "the motion log") lacks \(trackerEvents.lost) samples of the trackers: "
                        + "the session was held up for too long"))
        }
        trackerEvents?.close()
        logs = (nil, nil)
        return failures
    }
}
