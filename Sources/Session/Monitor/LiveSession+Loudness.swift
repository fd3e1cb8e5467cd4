import AudioIO
import Desk
import Loading
import Rendering
import Signal
import Soundstage
import Stages

extension LiveSession {
    /// Starts to meter the present stage. Call after the activation of the client.
    func beginMetering() {
        let renderer = stage.assembly.renderer
        var inputs: [LoudnessMonitor.Input] = []
        for programme in renderer.programmes { inputs += LoudnessMonitor.Input.all(of: programme.programme) }
        let monitor = LoudnessMonitor(
            inputs: inputs, sampleRate: stage.client.sampleRate, scale: scaleWatch())
        do throws(WorkerError) { try monitor.start() } catch {
            return note("the loudness is not measured: \(error)")
        }
        stage.client.attach(monitor.tap)
        sound.monitor = monitor
    }

    /// Applies the user's dynamics settings of the main programme before the first period.
    func beginDynamics() throws(SessionError) {
        let plan = try plan(sound.dynamics["main"] ?? DynamicsSettings(), for: "main")
        sound.levels = try stage.assembly.follow(plan, settings.metadata?.known, settings.stage)
    }

    /// Returns the dynamics of a programme that follow from its settings and, for the main programme, from the
    /// metadata.
    func plan(_ said: DynamicsSettings, for name: String) throws(SessionError) -> DynamicsPlan {
        let metadata = name == "main" ? settings.metadata : nil
        return try DynamicsPlan(said, metadata: metadata?.known, from: metadata?.source ?? "")
    }

    /// Ends metering. With an open client this takes one cycle. After the loss of a server the client must be closed
    /// first, because there are no cycles.
    func endMetering() {
        guard let monitor = sound.monitor else { return }
        sound.monitor = nil
        if stage.client.detachSoundTap() {
            monitor.stop()
        } else {
            // The server hangs: memory that its audio thread may touch is kept until the process ends.
            _ = Unmanaged.passRetained(monitor)
        }
    }

    /// Changes the loudness or dynamics settings of inputs: of all of them, or of none if one change fails.
    func setDynamics(of inputs: [ProgrammeRenderer], _ say: (inout DynamicsSettings) -> Void) -> SessionReply {
        var changed: [(ProgrammeRenderer, DynamicsSettings, DynamicsPlan)] = []
        for input in inputs {
            var said = sound.dynamics[input.programme.name] ?? DynamicsSettings()
            say(&said)
            do throws(SessionError) {
                changed.append((input, said, try plan(said, for: input.programme.name)))
            } catch {
                return .refused("\(input.programme.name): \(error.description)")
            }
        }
        for (input, said, plan) in changed {
            input.change { $0.dynamics = plan.controls }
            sound.dynamics[input.programme.name] = said
        }
        return .done
    }
}
