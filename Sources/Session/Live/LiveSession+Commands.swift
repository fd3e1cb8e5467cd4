import AudioIO
import Desk
import HeadTracking
import Loading
import Rendering
import Soundstage
import Stages
import Trackers

extension LiveSession {
    /// Carries out a command. Does not publish the state; `perform(_:)` does so afterwards.
    func carryOut(_ command: SessionCommand) async -> SessionReply {
        switch command {
        case .recentre(let axes):
            return feed.recentre(axes) ? .done : .refused(reasonAgainstRecentring)
        case .set(let change):
            let reply = await setAny(change)
            if reply.isDone { mirrorAll(after: change) }
            return reply
        case .loudness(let reset):
            guard let monitor = sound.monitor else { return environment.desk.phase.answer(to: command, in: phase) }
            guard reset else { return .loudness(staging.trial == nil ? monitor.status : .hidden) }
            monitor.reset()
            return .done
        case .playback(let command): return perform(command)
        case .record(let command):
            return await takes.perform(command, of: stage.client, isHere: outage == nil)
        case .plugin(let command): return await perform(command)
        case .calibration(let command): return feed.perform(command)
        case .surface(let command): return environment.desk.surface.perform(command).map { .refused($0) } ?? .done
        case .start(let frame): return await start(at: frame)
        case .status: return .status(status())
        case .picture: return .picture(picture())
        // The published values, which hide the heard scene during a blind comparison.
        case .state: return .state(environment.desk.state.state.values)
        // `perform(_:)` has carried out those of the history, and refused the others.
        case .history, .preview, .measurement, .capture: return .refused("a session does not carry this out")
        case .quit:
            quit()
            return .done
        }
    }

    /// Reason for which the head tracker has refused to recentre.
    private var reasonAgainstRecentring: String {
        switch feed.look().status.mode {
        case .waiting: "the head tracker has sent nothing yet"
        case .still: "tracking is switched off (reference static)"
        case .front, .held, .relative, .headOnly: "the head tracker is silent"
        }
    }

    /// Sets stream time 0 to a frame of the server's clock. Returns false if the frame has passed, or if the server was
    /// lost or changed its rate meanwhile. The stage then plays nothing that this call has started.
    package func begins(atFrame frame: UInt32) async throws(SessionError) -> Bool {
        let client = stage.client
        do throws(JACKError) {
            _ = try await client.requestStart(atFrame: frame)
            return client === stage.client && outage == nil
        } catch {
            if case .startMissed = error { return false }
            if server.isOutrun { return false }
            throw SessionError(error)
        }
    }

    private func start(at frame: UInt32?) async -> SessionReply {
        let client = stage.client
        do throws(JACKError) {
            // This call waits for the cycle with that frame, ten seconds at most. Other commands are carried out
            // meanwhile.
            let started = try await client.requestStart(atFrame: frame)
            // If the client was replaced or the server was lost during the wait, this command has started nothing that
            // plays now.
            guard client === stage.client, outage == nil else {
                return .refused("the JACK server restarted or changed its rate meanwhile; ask again")
            }
            return .started(frame: started, heardAt: client.heardAt(frame: started))
        } catch {
            return .refused(error.description)
        }
    }
}

extension LiveSession {
    /// Sets any parameter. Changes of the stage and of scenes take longer than others and are awaited.
    private func setAny(_ change: ParameterChange) async -> SessionReply {
        switch change.parameter.effect {
        case .stage(let set):
            guard staging.trial == nil else {
                return .refused(CommandExecution.Condition.noBlindComparison.refusal)
            }
            let hasRoom = change.parameter.id == "room-name" && change.value != .word("none")
            return await inTurn {
                await fadeIsOver()
                return await rebuild(hasRoom: hasRoom) { set(&$0, change.value) }
            }
        case .staging(let act): return await inTurn { await perform(act, change.value) }
        default: return set(change)
        }
    }

    /// Sets a parameter of the session, of the input that the change names, or of every input that supports it. Refuses
    /// parameters of the stage and of scenes.
    func set(_ change: ParameterChange) -> SessionReply {
        let parameter = change.parameter
        switch parameter.effect {
        case .stage, .staging: return .refused("\(parameter.id) cannot be set together with other values")
        case .tracking(let set):
            guard feed.head != nil else { return .refused("this session has no head tracker; see --head") }
            feed.change { set(&$0, change.value) }
            return .done
        case .room: return setRoom(change.value)
        case .headphones: return setHeadphones(change.value)
        case .monitor(let set): return setMonitor(change.value, set)
        case .loudspeaker(let set): return setLoudspeaker(change, set)
        case .listening(let act): return perform(act, change)
        case .controls(let set): return setControls(change, parameter, set)
        case .upmix(let set):
            return setControls(change, parameter) { controls, value, _ in set(&controls.upmix.amounts, value) }
        case .dynamics(let set):
            return withInputs(of: change, parameter) { inputs in setDynamics(of: inputs) { set(&$0, change.value) } }
        }
    }

    private func setControls(
        _ change: ParameterChange, _ parameter: Parameter,
        _ set: @Sendable (inout ProgrammeControls, ParameterValue, Programme) -> Void
    ) -> SessionReply {
        withInputs(of: change, parameter) { inputs in
            var isOtherMode = false
            for input in inputs {
                let (programme, mode) = (input.programme, input.controls.mode)
                input.change { set(&$0, change.value, programme) }
                if input.controls.mode != mode { isOtherMode = true }
            }
            if isOtherMode { endComparison(keeping: inputs) }
            followSolos(change)
            return .done
        }
    }

    /// Applies a change to those of the addressed inputs that support it. If none supports it, the change is refused
    /// with the reason of the first input. If the addressed input does not exist, it is refused with the names of all
    /// inputs.
    private func withInputs(
        of change: ParameterChange, _ parameter: Parameter, _ act: ([ProgrammeRenderer]) -> SessionReply
    ) -> SessionReply {
        let all = stage.assembly.renderer.programmes
        // The sends to an effect come after the level, polarity and loudness of the other inputs. A change of these
        // already reaches the effect through the sends.
        let isPassedOn = parameter.traits.contains(.reachesEffects) || parameter.group == .loudness
        let meant = all.filter { input in
            change.input.map { $0 == input.programme.name } ?? !(isPassedOn && input.programme.isEffect)
        }
        guard !meant.isEmpty else {
            let listed = (shownStages.first ?? stage).assembly.renderer.programmes
            let known = listed.map(\.programme.name).joined(separator: ", ")
            return .refused("there is no input '\(change.input ?? "")'; there are \(known)")
        }
        var refusals: [String] = []
        let able = meant.filter { input in
            // In a blind comparison a value is refused that one of the two scenes refuses, whichever is heard.
            for stage in shownStages {
                guard let same = stage.input(input.programme.name),
                    let reason = parameter.refusal(stage.circumstances(of: same), change.value)
                else { continue }
                refusals.append(reason)
                return false
            }
            return true
        }
        guard !able.isEmpty else { return .refused(refusals[0]) }
        return act(able)
    }

    /// Switches the room on or off. Refuses if no room is loaded.
    func setRoom(_ value: ParameterValue) -> SessionReply {
        // In a blind comparison it may be the other scene that has a room: the switch holds for both.
        guard shownStages.contains(where: { $0.assembly.room != nil }) else {
            return .refused("no room is loaded; 'ctl room-name studio' has one")
        }
        sound.playsRoom = value == .word("toggle") ? !sound.playsRoom : value == .word("on")
        stage.assembly.renderer.setRoom(on: sound.playsRoom)
        return .done
    }
}
