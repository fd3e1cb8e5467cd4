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

    /// Whether logs are written, or will be written when the server is back.
    var hasLogs: Bool { [files.poses, files.motion].compactMap(\.self).contains { ended[$0] == nil } }

    /// Makes a renderer record the data of the logs. Call before it plays.
    func arm(_ renderer: StageRenderer) {
        if files.poses != nil || files.motion != nil { renderer.recordPoses(capacity: 1 << 17) }
        guard files.motion != nil else { return }
        renderer.recordTurns(capacity: 1 << 17)
        renderer.recordChanges(capacity: 1 << 12)
    }

    /// Opens the requested logs of a stage. Call before it plays.
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
                    names: renderer.programmes.map(\.programme.name),
                    loudspeakers: renderer.programmes.flatMap { $0.programme.layout.loudspeakers.map(\.symbol) },
                    replaces: replacement.covers(path))
                trackerEvents?.open()
            }
        } catch {
            throw SessionError(error)
        }
    }

    /// Moves the logs to the next stage: completes those of the present stage, and opens files with the next free
    /// names, whose headers describe the next stage. The recording of the sound continues in its file. `roomIsOn`,
    /// `headphonesAreOn`: switches of the next stage.
    func moveLogs(from present: LiveStage, to next: LiveStage, roomIsOn: Bool, headphonesAreOn: Bool) {
        guard logsMotion else { return }
        for failure in completeLogs(of: present) { note(failure.description) }
        (files.poses, files.motion) = (self.next(after: files.poses), self.next(after: files.motion))
        let renderer = next.assembly.renderer
        // Records from before the stage is heard are dropped. The new log begins with the present state instead,
        // because the records of the stage's beginning may be in an earlier log.
        _ = (renderer.drainPoses(), renderer.drainTurns(), renderer.drainChanges())
        do throws(SessionError) { try beginLogs(of: next) } catch { endLogs(error) }
        follow(next, after: Self.state(of: next, roomIsOn: roomIsOn, headphonesAreOn: headphonesAreOn))
    }

    /// Returns the present controls of a stage's inputs and its switches, as records of a stream's beginning.
    private static func state(of stage: LiveStage, roomIsOn: Bool, headphonesAreOn: Bool) -> [StageChange] {
        let inputs = stage.assembly.renderer.programmes.map { $0.controls }
        guard let filling = inputs.first else { return [] }
        return StageChange.Part.allCases.flatMap { part -> [StageChange] in
            switch part {
            case .programme:
                return inputs.enumerated().map { index, controls in
                    StageChange(programme: index, controls: controls, frame: 0, isStart: true)
                }
            case .room: return [StageChange(part, isOn: roomIsOn, filling: filling, frame: 0, isStart: true)]
            case .headphones:
                guard stage.assembly.headphones != nil else { return [] }
                return [StageChange(part, isOn: headphonesAreOn, filling: filling, frame: 0, isStart: true)]
            case .loudspeakers:
                let renderer = stage.assembly.renderer
                let switches = LoudspeakerSwitches(
                    renderer.monitor.controls.loudspeakers, count: renderer.configuration.sources.count)
                return switches.isNeutral
                    ? [] : [StageChange(switches, filling: filling, frame: 0, isStart: true)]
            }
        }
    }

    /// Ends the logs with an error.
    func endLogs(_ error: SessionError) {
        for file in [files.poses, files.motion].compactMap(\.self) { end(file, error.description) }
    }

    /// Returns the session's data for the header of a motion log.
    private func circumstances(_ stage: LiveStage) -> MotionRecording.Circumstances {
        MotionRecording.Circumstances(
            sampleRate: stage.client.sampleRate.hertz, slice: stage.settings.slice, period: stage.client.periodFrames,
            layout: stage.layout.name, hrtf: stage.assembly.setName, head: tracking.head, device: tracking.device,
            yawPull: tracking.options.choices.yawPull, room: stage.assembly.roomWord, upmix: stage.assembly.upmixWord,
            headphones: stage.assembly.headphonesWord)
    }

    /// Writes the rendered poses, the turns and changes of the stage, and the tracker samples since the last call. Ends
    /// a log that cannot be written. `state`: the stage's state at the beginning of a log, written before the changes.
    func follow(_ stage: LiveStage, after state: [StageChange] = []) {
        guard logsMotion else { return }
        let poses = stage.assembly.renderer.drainPoses()
        do throws(MotionLogError) { try logs.poses?.append(poses) } catch {
            logs.poses = nil
            end(files.poses ?? "", error.description)
        }
        // The poses are taken first: the earlier turns and changes are then already in their buffers.
        let turns = stage.assembly.renderer.drainTurns()
        let changes = state + stage.assembly.renderer.drainChanges()
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

    /// Completes the logs. Returns their faults.
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
