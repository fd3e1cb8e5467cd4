import Geometry
import Rendering
import Soundstage
import Takes

/// Writes a session's motion log. It contains the exact poses of the renderer, the tracker's events, and the changes of
/// inputs, room, headphones, loudspeakers and plugins, with the frames from which they apply.
///
/// The file grows only at its end. A line marks a new start of the stream, and readers then discard the earlier poses.
/// Must be used by one thread at a time.
package final class MotionRecorder {
    private let file: LogWriter
    /// Frames between two poses of a stream without losses.
    private let step: Int
    private var lastFrame = -1
    private var lost = 0
    /// Names of the programmes, which are the inputs, in order.
    private let names: [String]
    /// Names of the virtual loudspeakers of all programmes, in order.
    private let loudspeakers: [String]
    /// Changes that are not written yet, because the first pose after their stream start has not arrived.
    private var waiting: [StageChange] = []
    /// Expected rotations of the head that are not written yet.
    private var waitingTurns: [TurnRecord] = []
    /// Last written controls of each input.
    private var written: [String: ProgrammeControls] = [:]
    /// Last written state of each plugin.
    private var writtenPlugins: [String: MotionRecording.PluginState] = [:]
    /// Names of the headphones' equalisation: the name in the header, and the name that was written last since the
    /// stream start (at first the name in the header).
    private var equalisation: (header: String?, written: String?)

    /// Opens the temporary file. `step`: frames from one pose to the next, which is the renderer's fade. `names`: names
    /// of the programmes, in the order of the changes' indices. `loudspeakers`: names of their virtual loudspeakers, in
    /// the order of the sources. `replaces`: whether an existing file of that name is replaced on completion.
    package init(
        path: String, _ circumstances: MotionRecording.Circumstances, step: Int, names: [String] = [],
        loudspeakers: [String] = [], replaces: Bool = false
    ) throws(MotionLogError) {
        self.names = names
        self.loudspeakers = loudspeakers
        self.step = step
        equalisation = (circumstances.headphones, circumstances.headphones)
        do throws(TakeError) {
            file = try LogWriter(path: path, beginning: MotionLine.header(circumstances), replaces: replaces)
        } catch {
            throw .take(error)
        }
    }

    /// Appends the records since the last call. The caller must read the poses before the changes. `plugins`: present
    /// state of each plugin, by its name; a change is written with the frame of the last pose, or 0 after a stream
    /// start. `headphones`: name of the headphones' equalisation, nil if unknown. It is written in the same way if it
    /// differs from the name written last, or, after a stream start, from the name in the header.
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
                // Changes of the ended stream are dropped, like its poses.
                waiting.removeFirst(waiting.firstIndex { $0.isStart } ?? waiting.count)
                waitingTurns.removeFirst(waitingTurns.firstIndex { $0.isStart }.map { $0 + 1 } ?? waitingTurns.count)
                text += MotionLine.start
                (written, writtenPlugins, isStart) = ([:], [:], true)
                // Readers drop the names that were written before the start.
                equalisation.written = equalisation.header
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
            let frame = isStart ? 0 : lastFrame
            text += takeTurns() + take() + take(headphones, frame: frame)
            text += take(plugins, frame: frame)
        }
        do throws(TakeError) { try file.append(text) } catch { throw .take(error) }
    }

    /// Returns the lines for the changes at a stream start.
    private func takeStart() -> String {
        let count = waiting.firstIndex { !$0.isStart } ?? waiting.count
        defer { waiting.removeFirst(count) }
        return waiting[..<count].map(line).joined()
    }

    /// Returns the lines for the later changes, up to the next start.
    private func take() -> String {
        let count = waiting.firstIndex { $0.isStart } ?? waiting.count
        defer { waiting.removeFirst(count) }
        return waiting[..<count].map(line).joined()
    }

    /// Returns the lines for the later expected rotations, up to the next start.
    private func takeTurns() -> String {
        let mine = waitingTurns.prefix { !$0.isStart }
        let text = mine.map { MotionLine.turn(.init(frame: $0.streamFrame, perFrame: $0.perFrame)) }.joined()
        waitingTurns.removeFirst(mine.count)
        return text
    }

    /// Returns the lines for the plugins' changes.
    private func take(_ plugins: [String: MotionRecording.PluginState], frame: Int) -> String {
        defer { writtenPlugins = plugins }
        return plugins.sorted { $0.key < $1.key }.compactMap { name, state in
            state.change(of: name, from: writtenPlugins[name], frame: frame).map(MotionLine.plugin)
        }.joined()
    }

    /// Returns the line for a new equalisation of the headphones; empty without a change.
    private func take(_ headphones: String?, frame: Int) -> String {
        guard let headphones, headphones != equalisation.written else { return "" }
        equalisation.written = headphones
        return MotionLine.change(.init(frame: frame, state: .equaliser(headphones)))
    }

    /// Returns the line for a change; empty if an input is unknown or has the state that was written last.
    private func line(_ change: StageChange) -> String {
        switch change.part {
        case .room: return MotionLine.change(.init(frame: change.frame, state: .room(isOn: change.isOn)))
        case .headphones:
            return MotionLine.change(.init(frame: change.frame, state: .headphones(isOn: change.isOn)))
        case .loudspeakers:
            let switches = change.switches
            let state = MotionRecording.Change.State.loudspeakers(
                silent: names(whereSource: { switches.gain(of: $0) == 0 }),
                inverted: names(whereSource: { switches.gain(of: $0) < 0 }))
            return MotionLine.change(.init(frame: change.frame, state: state))
        case .programme:
            guard names.indices.contains(change.programme) else { return "" }
            let name = names[change.programme]
            let controls = change.controls.recorded
            guard written.updateValue(controls, forKey: name) != controls else { return "" }
            return MotionLine.change(.init(frame: change.frame, state: .input(name, controls)))
        }
    }

    /// Returns the names of the loudspeakers whose sources pass the test, each once.
    private func names(whereSource isMeant: (Int) -> Bool) -> [String] {
        var found: [String] = []
        for (source, name) in loudspeakers.prefix(StageConfiguration.maximumSources).enumerated()
        where isMeant(source) && !found.contains(name) {
            found.append(name)
        }
        return found
    }

    /// Completes the file under its final name. Throws `incomplete` after that if poses were lost.
    package func finish() throws(MotionLogError) {
        do throws(TakeError) { try file.finish() } catch { throw .take(error) }
        if lost > 0 {
            throw MotionLogError.incomplete(path: file.path, lostPoses: lost)
        }
    }

    /// Removes the file.
    package func discard() { file.discard() }
}
