import AudioIO
import Desk
import Loading
import Rendering
import Signal
import Soundstage
import Stages

extension LiveSession {
    /// Starts to meter the present stage; after the client was activated.
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

    /// What the user says of the main programme's loudness, put into force before the first period.
    func beginDynamics() throws(SessionError) {
        let plan = try plan(sound.dynamics["main"] ?? DynamicsSettings(), for: "main")
        sound.levels = try stage.assembly.follow(plan, settings.metadata?.known, settings.stage)
    }

    /// What becomes of a programme's loudness by what is said of it, and by the main programme's metadata.
    func plan(_ said: DynamicsSettings, for name: String) throws(SessionError) -> DynamicsPlan {
        let metadata = name == "main" ? settings.metadata : nil
        return try DynamicsPlan(said, metadata: metadata?.known, from: metadata?.source ?? "")
    }

    /// Ends metering. While the client is open that takes a cycle; of a server that is gone no cycle comes, and the
    /// client is closed first.
    func endMetering() {
        guard let monitor = sound.monitor else { return }
        sound.monitor = nil
        if stage.client.detachSoundTap() {
            monitor.stop()
        } else {
            // The server hangs: what its audio thread could touch is left to the process's end.
            _ = Unmanaged.passRetained(monitor)
        }
    }

    /// Says something of the loudness or dynamics of inputs; all of them, or none where one cannot be.
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
