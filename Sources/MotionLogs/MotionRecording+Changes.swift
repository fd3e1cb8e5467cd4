import Rendering
import Soundstage

extension MotionRecording {
    /// A change of an input, the room, the headphones' equalisation or the loudspeakers' switches during the session,
    /// with the frame from which it applied.
    package struct Change: Hashable, Sendable {
        /// Frame of the change relative to stream time 0. It is the beginning of a slice, except for `equaliser`.
        package var frame: Int
        /// New state.
        package var state: State

        /// State of one part of the stage, which consists of the virtual loudspeakers, their inputs and their
        /// processing.
        package enum State: Hashable, Sendable {
            /// Controls of an input, with its name, as `ProgrammeControls.recorded` returns them.
            case input(String, ProgrammeControls)
            /// Whether the room is audible.
            case room(isOn: Bool)
            /// Whether the headphones' equalisation is in use.
            case headphones(isOn: Bool)
            /// Name of a new equalisation, from about that frame. It is not replayed.
            case equaliser(String)
            /// Names of the virtual loudspeakers that are silent, by mutes or solos, and of those with inverted
            /// polarity. Older logs have none.
            case loudspeakers(silent: [String], inverted: [String])
        }

        /// Whether the change names a new equalisation.
        package var isOfEqualiser: Bool { if case .equaliser = state { true } else { false } }
    }

    /// Returns the changes for a renderer that replays them. The inputs are matched to the programmes by name. The
    /// rendition is not replayed, because a file has only one.
    package func automation(for programmes: [ProgrammeRenderer]) -> [StageChange] {
        guard let first = programmes.first else { return [] }
        let sources = programmes.flatMap { $0.programme.layout.loudspeakers.map(\.symbol) }
            .prefix(StageConfiguration.maximumSources)
        var automation: [StageChange] = []
        for change in changes {
            switch change.state {
            case .room(let isOn):
                automation.append(StageChange(.room, isOn: isOn, filling: first.controls, frame: change.frame))
            case .headphones(let isOn):
                automation.append(StageChange(.headphones, isOn: isOn, filling: first.controls, frame: change.frame))
            case .equaliser: break
            case .loudspeakers(let silent, let inverted):
                var switches = LoudspeakerSwitches()
                for (source, name) in sources.enumerated() {
                    switches.set(source, gain: silent.contains(name) ? 0 : inverted.contains(name) ? -1 : 1)
                }
                automation.append(StageChange(switches, filling: first.controls, frame: change.frame))
            case .input(let name, let controls):
                guard let place = programmes.firstIndex(where: { $0.programme.name == name }) else { continue }
                automation.append(
                    StageChange(
                        programme: place, controls: programmes[place].controls.replaying(controls),
                        frame: change.frame))
            }
        }
        return automation
    }
}
