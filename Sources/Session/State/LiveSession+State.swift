import AudioIO
import Desk
import HeadTracking
import Racks
import Rendering
import SavedSessions
import Signal
import Soundstage
import Stages
import Trackers

extension LiveSession {
    /// Connects the session to its control interfaces (`SessionDesk`), whose commands it then carries out.
    package nonisolated func sit(at desk: SessionDesk) {
        desk.commands.serve { await self.perform($0) }
    }

    /// Publishes the values in force to all control interfaces, and makes the present stage the source of telemetry.
    package func enterState() {
        // The controls' values are frozen in a blind comparison, and so are their ranges.
        if staging.trial == nil { environment.desk.pluginControls.enter(stage.assembly.plugins.inserts) }
        environment.desk.state.enter(blinded(valuesInForce()))
        let source = TelemetrySource(self)
        environment.desk.telemetry.serve { source.sample(isWhole: $0) }
    }

    /// Returns the present state. It has the published values and, during a comparison by the monitor, the mode of each
    /// input before that comparison, which is not published. It also has the name of the heard scene, empty during a
    /// blind comparison. The other parts are empty; see `snapshot(keeping:)`.
    func snapshot() -> SessionDocument {
        var now = SessionDocument()
        now.state = environment.desk.state.state.values.merging(modesBefore) { told, _ in told }
        now.scene = staging.trial == nil ? staging.name : ""
        return now
    }

    /// Returns all values in force for the control interfaces, by address, before `blinded` hides any. Takes tens of
    /// microseconds, more with many plugins.
    func valuesInForce() -> [String: ParameterValue] {
        var values = facts.merging(takes.facts(stage.client)) { $1 }
        values.merge(feed.calibration.facts) { $1 }
        values.merge(environment.desk.player.facts) { $1 }
        values["surface/learning"] = environment.desk.surface.learning.map { .word($0) }
        let choices = feed.head == nil ? nil : feed.options.choices
        for parameter in Parameter.all where !parameter.isOfInputs {
            if case .loudspeaker(let read) = parameter.reading {
                for name in loudspeakerNames {
                    values[StateAddress.loudspeaker(name, parameter.loudspeakerWord).text] = read(monitoring, name)
                }
            } else {
                values[parameter.id] = value(of: parameter, choices)
            }
        }
        values.merge(inputValues(of: stage)) { $1 }
        for insert in stage.assembly.plugins.inserts {
            values[StateAddress.bypass(plugin: insert.name).text] = .isOn(insert.isBypassed)
            for (symbol, value) in insert.controls {
                values[StateAddress.control(plugin: insert.name, symbol: symbol).text] = .number(Double(value))
            }
        }
        return values
    }

    /// Returns the values of a stage's inputs, by address.
    func inputValues(of stage: Stage) -> [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for parameter in Parameter.all where parameter.isOfInputs {
            for input in stage.assembly.renderer.programmes {
                guard let value = value(of: parameter, input),
                    parameter.refusal(stage.circumstances(of: input), value) == nil
                else { continue }
                values[StateAddress.input(input.programme.name, parameter.id).text] = value
            }
        }
        return values
    }

    /// Returns the value of a session parameter; nil if it has no value at present, for example `room` without a room.
    private func value(of parameter: Parameter, _ choices: HeadTrackerOptions.Choices?) -> ParameterValue? {
        switch parameter.reading {
        case .stage(let read): read(settings.stage.choices)
        case .staging(let read): read(staging.facts)
        case .tracking(let read): choices.map(read)
        case .room: stage.assembly.room == nil ? nil : .isOn(sound.playsRoom)
        case .headphones: stage.assembly.headphones == nil ? nil : .isOn(sound.equalises)
        case .monitor(let read): read(monitoring)
        case .controls, .dynamics, .loudspeaker: nil
        }
    }

    /// Returns the value of an input parameter; nil for a parameter that does not belong to inputs.
    private func value(of parameter: Parameter, _ input: ProgrammeRenderer) -> ParameterValue? {
        switch parameter.reading {
        case .controls(let read): read(input.controls)
        case .dynamics(let read): read(sound.dynamics[input.programme.name] ?? DynamicsSettings())
        case .stage, .staging, .tracking, .room, .headphones, .monitor, .loudspeaker: nil
        }
    }

    /// Read-only values, by address, that may identify the heard scene. They are frozen during a blind comparison.
    enum FrozenFact: String, CaseIterable {
        /// Name of the HRTF set, and latency of the stage in frames.
        case setName = "hrtf-name", latency
        /// Names of the existing scenes. After a loss of the server they come back one by one, the heard one first.
        case scenes
    }

    private func value(of fact: FrozenFact) -> ParameterValue {
        switch fact {
        case .setName: .word(stage.assembly.setName)
        case .latency: .number(Double(stage.assembly.renderer.latencyFrames))
        case .scenes: .word(staging.filled.joined())
        }
    }

    /// Read-only values, by address.
    private var facts: [String: ParameterValue] {
        let client = stage.client
        var facts: [String: ParameterValue] = [
            "client": .word(client.name),
            "sample-rate": .number(client.sampleRate.hertz), "period": .number(Double(client.periodFrames)),
            "playback": .word(playback.status.state), "ears-connected": .isOn(!playback.route.links.isEmpty),
            "server": .word(outage.map(\.isOfRate) ?? true ? "here" : "gone"),
            "plugin-changes": .number(Double(undo.pluginChanges)),
        ]
        for fact in FrozenFact.allCases { facts[fact.rawValue] = value(of: fact) }
        if let trial = staging.trial { facts["abx-count"] = .number(Double(trial.count)) }
        if let result = staging.result { facts["abx-result"] = .word(result) }
        return facts
    }
}
