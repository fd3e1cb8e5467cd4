import Geometry
import Rendering
import Takes

/// Writes a session's motion log: the poses a renderer used, every bit of them, what reached the tracker, and what else
/// was asked for, with the frames from which it was in force.
///
/// The file grows only at its end: where the stream starts anew a line says so, and a reader forgets the poses before
/// it. One thread at a time.
package final class MotionRecorder {
    private let path: String
    private let file: LogWriter
    /// Frames between two poses of a stream that nothing was lost from.
    private let step: Int
    private var lastFrame = -1
    private var lost = 0
    /// Names of the programmes, in order.
    private let names: [String]
    /// Changes that belong to a stream start not yet seen, and what was last written of each input.
    private var waiting: [StageChange] = []
    /// The same of expected turns.
    private var waitingTurns: [TurnRecord] = []
    private var written: [String: MotionRecording.InputState] = [:]
    /// What was last written of each plugin.
    private var writtenPlugins: [String: MotionRecording.PluginState] = [:]
    /// The name of the headphones' equalisation as it was last written, at first in the head.
    private var writtenHeadphones: String?

    /// Opens the temporary file. `step`: frames from one pose to the next, the renderer's fade.
    /// `names`: of the programmes, as changes count them. `replaces`: a file of its name is replaced when it is
    /// complete.
    package init(
        path: String, _ circumstances: MotionRecording.Circumstances, step: Int, names: [String] = [],
        replaces: Bool = false
    ) throws(MotionLogError) {
        self.path = path
        self.names = names
        self.step = step
        writtenHeadphones = circumstances.headphones
        do throws(TakeError) {
            file = try LogWriter(path: path, beginning: MotionLine.header(circumstances), replaces: replaces)
        } catch {
            throw .take(error)
        }
    }

    /// Appends what came since the last call; poses are to be drained before the changes. `plugins`: what is asked of
    /// each now, by its name; what is new of that is written with the last pose's frame, which the next sound begins
    /// with, and so is the name of another equalisation of the headphones (`headphones`; nil: nothing is said of it).
    package func append(
        _ records: [PoseRecord], _ events: [MotionEvent], _ changes: [StageChange] = [], _ turns: [TurnRecord] = [],
        plugins: [String: MotionRecording.PluginState] = [:], headphones: String? = nil
    ) throws(MotionLogError) {
        var isStart = false
        waiting += changes
        waitingTurns += turns
        var text = events.map(MotionLine.event).joined()
        for record in records {
            if record.streamFrame <= lastFrame || lastFrame < 0 {
                // What was asked of the stream that is over would be forgotten with its poses.
                waiting.removeFirst(waiting.firstIndex { $0.isStart } ?? waiting.count)
                waitingTurns.removeFirst(waitingTurns.firstIndex { $0.isStart }.map { $0 + 1 } ?? waitingTurns.count)
                text += MotionLine.start
                (written, writtenPlugins, isStart) = ([:], [:], true)
                text += takeStart()
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
        if lastFrame >= 0 {
            text += takeTurns() + take() + take(headphones, frame: lastFrame)
            text += take(plugins, frame: isStart ? 0 : lastFrame)
        }
        do throws(TakeError) { try file.append(text) } catch { throw .take(error) }
    }

    /// The lines of what the stream begins with.
    private func takeStart() -> String {
        let count = waiting.firstIndex { !$0.isStart } ?? waiting.count
        defer { waiting.removeFirst(count) }
        return waiting[..<count].map(line).joined()
    }

    /// The lines of what was asked for since, up to the next start.
    private func take() -> String {
        let count = waiting.firstIndex { $0.isStart } ?? waiting.count
        defer { waiting.removeFirst(count) }
        return waiting[..<count].map(line).joined()
    }

    /// The lines of what was expected of the head since, up to the next start.
    private func takeTurns() -> String {
        let mine = waitingTurns.prefix { !$0.isStart }
        let text = mine.map { MotionLine.turn(.init(frame: $0.streamFrame, perFrame: $0.perFrame)) }.joined()
        waitingTurns.removeFirst(mine.count)
        return text
    }

    /// The lines of what is new of plugins.
    private func take(_ plugins: [String: MotionRecording.PluginState], frame: Int) -> String {
        defer { writtenPlugins = plugins }
        return plugins.sorted { $0.key < $1.key }.compactMap { name, state in
            state.change(of: name, from: writtenPlugins[name], frame: frame).map(MotionLine.plugin)
        }.joined()
    }

    /// The line of another equalisation of the headphones.
    private func take(_ headphones: String?, frame: Int) -> String {
        guard let headphones, headphones != writtenHeadphones else { return "" }
        writtenHeadphones = headphones
        return MotionLine.change(.init(frame: frame, state: .equaliser(headphones)))
    }

    /// A change as it is written; empty where it says nothing new.
    private func line(_ change: StageChange) -> String {
        switch change.part {
        case .room: return MotionLine.change(.init(frame: change.frame, state: .room(isOn: change.isOn)))
        case .headphones:
            return MotionLine.change(.init(frame: change.frame, state: .headphones(isOn: change.isOn)))
        case .programme:
            guard names.indices.contains(change.programme) else { return "" }
            let name = names[change.programme]
            let state = MotionRecording.InputState(change.controls)
            guard written.updateValue(state, forKey: name) != state else { return "" }
            return MotionLine.change(.init(frame: change.frame, state: .input(name, state)))
        }
    }

    /// Completes the file under its own name.
    package func finish() throws(MotionLogError) {
        do throws(TakeError) { try file.finish() } catch { throw .take(error) }
        if lost > 0 {
            throw MotionLogError.incomplete(path: path, lostPoses: lost)
        }
    }

    /// Removes the file.
    package func discard() { file.discard() }
}
