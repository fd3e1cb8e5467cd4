import Inserts
import Loading
import MotionLogs
import PluginHost
import Synchronization

/// Plugins in motion logs: requested settings are recorded and replayed.
extension PluginRack {
    /// Names of all plugins.
    package var names: Set<String> { Set(inserts.map(\.name)) }

    /// Requested state of each plugin at present, by the plugin's name.
    package var recorded: [String: MotionRecording.PluginState] {
        Dictionary(
            uniqueKeysWithValues: inserts.map {
                ($0.name, .init(controls: $0.controls, isBypassed: $0.isBypassed))
            })
    }

    /// Replays the plugin changes of a log from stream time 0. Changes of missing plugins are skipped.
    package func follow(_ changes: [MotionRecording.PluginChange]) {
        state.withLock { ($0.automation, $0.done) = (changes, (0, 0)) }
        play(from: 0, within: 0)
    }

    /// Applies the log's changes up to a stream frame. Call before the sound of this frame is rendered. A frame earlier
    /// than the last one restarts the log. Continuous controls reach their values in `seconds`. Refused changes are
    /// reported by `takeRefusals`.
    package func play(from frame: Int, within seconds: Double = PluginInsert.glide) {
        let due = state.withLock { state -> [MotionRecording.PluginChange]? in
            guard !state.automation.isEmpty else { return nil }
            if frame < state.done.frame { state.done.changes = 0 }
            let due = state.automation[state.done.changes...].prefix { $0.frame <= frame }
            state.done = (state.done.changes + due.count, frame)
            return Array(due)
        }
        guard let due else { return }
        for change in due {
            guard let insert = inserts.first(where: { $0.name == change.name }) else { continue }
            for (symbol, value) in change.controls.sorted(by: { $0.key < $1.key }) {
                do throws(PluginError) { try insert.set(symbol, String(value), within: seconds) } catch {
                    refuse(change, error.description)
                }
            }
            guard let bypass = change.bypass, bypass != insert.isBypassed else { continue }
            do throws(SessionError) { try perform(.bypass(change.name, bypass), period: 0) } catch {
                refuse(change, error.description)
            }
        }
        chains.advance()
    }

    /// Returns the log's changes that plugins have refused since the last call, one sentence each.
    package func takeRefusals() -> [String] {
        state.withLock { state in
            defer { state.refusals = [] }
            return state.refusals
        }
    }

    private func refuse(_ change: MotionRecording.PluginChange, _ reason: String) {
        state.withLock { $0.refusals.append("motion log, plugin \(change.name) at frame \(change.frame): \(reason)") }
    }
}
