import Loading
import Rendering
import Soundstage

/// Values of a saved session, for a stage that renders a file.
extension StageSettings {
    /// Applies the loudness settings among a session's values to the main programme and the effects that they name. A
    /// stage is built with these settings; `StageAssembly.take` applies all other values.
    package mutating func takeDynamics(of values: [ParameterChange]) {
        for value in values {
            guard case .dynamics(let set) = value.parameter.effect else { continue }
            if value.input == "main" { set(&programmes.dynamics, value.value) }
            for index in programmes.effects.indices where programmes.effects[index].input.name == value.input {
                set(&programmes.effects[index].input.dynamics, value.value)
            }
        }
    }
}

extension StageAssembly {
    /// Reason why a value of a further input has no effect.
    private static let noInput = "a render has the main programme and the effects, and no other inputs"

    /// Returns the values without those that the controls of their inputs have already.
    package func differing(_ values: [ParameterChange]) -> [ParameterChange] {
        values.filter { value in
            guard case .controls(let read) = value.parameter.reading,
                let input = renderer.programmes.first(where: { $0.programme.name == value.input })
            else { return true }
            return read(input.controls) != value.value
        }
    }

    /// Applies a session's values before the first period, as a live session applies them. Never on the audio thread.
    ///
    /// - Parameters:
    ///   - values: values, each with the name of its input or loudspeaker. Choices of the stage and loudness settings
    ///     are ignored; the stage is built with them.
    ///   - settings: settings of the stage, for the layout of a fold-down.
    /// - Returns: one line for each reason why values have no effect here, with these values. Default values are left
    ///   out.
    package func take(_ values: [ParameterChange], _ settings: StageSettings) -> [String] {
        guard !values.isEmpty else { return [] }
        let names = renderer.configuration.programmes.flatMap(\.programme.layout.loudspeakers).map(\.symbol)
        var monitor = MonitorSettings()
        var left: [String: [String]] = [:]
        for value in values {
            guard let reason = take(value, settings, names, &monitor), !value.isDefault else { continue }
            let words = [value.input, value.parameter.id].compactMap(\.self) + value.value.written
            left[reason, default: []].append(words.joined(separator: " "))
        }
        let switches = monitor
        renderer.monitor.change { switches.apply(to: &$0, of: names) }
        silenceOthers()
        return left.sorted { $0.key < $1.key }.map { "\($0.value.joined(separator: ", ")) without effect: \($0.key)" }
    }

    /// Applies one value. Returns the reason why it has no effect; nil if it has an effect, or if the stage was built
    /// with it.
    private func take(
        _ value: ParameterChange, _ settings: StageSettings, _ names: [String], _ monitor: inout MonitorSettings
    ) -> String? {
        switch value.parameter.effect {
        case .controls(let set): return setControls(value, set)
        case .upmix(let set):
            return setControls(value) { controls, value, _ in set(&controls.upmix.amounts, value) }
        case .dynamics:
            return renderer.programmes.contains { $0.programme.name == value.input } ? nil : Self.noInput
        case .room:
            guard room != nil else { return "no room is loaded" }
            renderer.setRoom(on: value.value == .word("on"))
            return nil
        case .headphones:
            guard headphones != nil else { return "no headphone equalisation is loaded" }
            renderer.headphones.set(on: value.value == .word("on"))
            return nil
        case .loudspeaker(let set):
            guard let name = value.input, names.contains(name) else { return "the stage has no such loudspeaker" }
            set(&monitor.loudspeakers[name, default: .init()], value.value)
            return nil
        case .listening(.foldDown): return fold(to: value.value.word, settings)
        case .monitor, .listening: return "it is of the monitor section, which changes no recording and no render"
        case .tracking: return "a render has no head tracker"
        case .staging: return "a render has no scenes and no print bus"
        case .stage: return nil
        }
    }

    private func setControls(
        _ value: ParameterChange, _ set: @Sendable (inout ProgrammeControls, ParameterValue, Programme) -> Void
    ) -> String? {
        guard let input = renderer.programmes.first(where: { $0.programme.name == value.input }) else {
            return Self.noInput
        }
        let programme = input.programme
        let circumstances = ProgrammeRefusal(programme: programme, isMeasured: isMeasured(programme.name))
        if let reason = value.parameter.refusal(circumstances, value.value) { return reason }
        input.change { set(&$0, value.value, programme) }
        return nil
    }

    private func fold(to name: String, _ settings: StageSettings) -> String? {
        guard name != "none" else { return nil }
        let target: Layout
        do throws(SessionError) { target = try settings.layout(named: name) } catch { return error.description }
        do throws(FoldDownError) {
            let skipped = try renderer.monitor.fold(to: target) { sourcesInRoom.contains($0) }
            return skipped.isEmpty ? nil : FoldDownError.skipping(skipped, target.name)
        } catch {
            return error.description
        }
    }

    /// Silences each input that is neither soloed nor solo-safe if another one is soloed.
    private func silenceOthers() {
        let inputs = renderer.programmes
        guard inputs.contains(where: { $0.controls.isSolo }) else { return }
        for input in inputs where !input.controls.isSolo && !input.controls.isSoloSafe {
            input.change { $0.isSilenced = true }
        }
    }
}
