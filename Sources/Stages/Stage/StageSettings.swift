import HRTF
import Loading
import Racks
import Rendering
import Soundstage

/// Everything the user can choose about the sound. What the table of parameters chooses reads as its own:
/// `settings.gain`.
@dynamicMemberLookup
package struct StageSettings: Sendable {
    /// What the table of parameters chooses of the stage.
    package var choices = StageChoices()
    /// What is played, and how it meets the listener.
    package var programmes: ProgrammeSettings
    /// Plugins in the chains, in order.
    package var plugins: [PluginRequest] = []
    /// Whether plugins that cannot be had are told and kept in mind, instead of ending all.
    package var isForgiving = false
    /// Where plugins come from.
    package var shelf = PluginShelf.machine
    /// What reads SOFA files: this process, where nothing sounds meanwhile.
    package var reader: any SOFAReader = InProcessReader()

    /// All choices.
    package init(
        layout: String? = nil, angles: Layout.Angles = .itu, ambisonics: AmbisonicFormat.Convention = .sn3d,
        hrtf: String? = nil, slice: Int = 64, gain: Double = 0, limiter: OutputGuard = .instant,
        room: RoomSettings = RoomSettings(), programmes: ProgrammeSettings = ProgrammeSettings()
    ) {
        self.programmes = programmes
        (choices.layout, choices.hrtf) = (layout, hrtf)
        (choices.angles, choices.ambisonics, choices.slice) = (angles, ambisonics, slice)
        (choices.gain, choices.limiter, choices.room) = (gain, limiter, room)
    }

    /// One of `choices`.
    package subscript<Value>(dynamicMember choice: WritableKeyPath<StageChoices, Value>) -> Value {
        get { choices[keyPath: choice] }
        set { choices[keyPath: choice] = newValue }
    }

    /// How a head's set is equalised, its diffuse field's switch counted in.
    package var equalisation: HRTFProcessing { choices.preparation.equalisation }

    /// The layout of `choices`, beside the method of the same name.
    package var layout: String? {
        get { choices.layout }
        set { choices.layout = newValue }
    }

    /// Takes what is said of the stage and of the main programme by the table of parameters; what is said of tracking
    /// is left.
    package mutating func take(_ changes: [ParameterChange]) {
        for change in changes {
            switch change.parameter.effect {
            case .stage(let set): set(&choices, change.value)
            case .controls: programmes.changes.append(change)
            case .upmix(let set): set(&programmes.upmix.amounts, change.value)
            case .dynamics(let set): set(&programmes.dynamics, change.value)
            case .tracking, .room, .headphones, .monitor, .loudspeaker, .listening, .staging: break
            }
        }
    }

    /// The layout of a name or a JSON file's path, at the angles and in the convention chosen here.
    ///
    /// - Throws: what is wrong with the name or the file.
    package func layout(named name: String) throws(SessionError) -> Layout {
        do throws(SoundstageError) {
            if MakingName.layout.isFile(name) { return try Layout(jsonAt: name) }
            return try Layout.named(name, angles: choices.angles, ambisonics: choices.ambisonics)
        } catch {
            throw SessionError(error)
        }
    }

    /// These settings with the distances at which single loudspeakers stand, of the main programme's layout and those
    /// of other inputs, and voices: a set that is prepared with them has a field for each.
    ///
    /// - Throws: what is wrong with a layout's name or file.
    package func standing(in layout: Layout) throws(SessionError) -> StageSettings {
        var distances = Set(layout.loudspeakers.compactMap(\.distance))
        for input in programmes.others {
            distances.formUnion(try self.layout(named: input.layout).loudspeakers.compactMap(\.distance))
        }
        if let own = choices.voiceDistance { distances.insert(own) }
        var settings = self
        settings.choices.preparation.sourceDistances = distances.sorted()
        return settings
    }

    /// The field that a loudspeaker at a distance of its own is heard through, or a voice, of a set that is prepared
    /// for the distances there are.
    package func shell(at distance: Double?) -> Int {
        guard let distance else { return 0 }
        // One that is not there is told when the stage is made.
        return
            (choices.preparation.sourceDistances.firstIndex(of: distance) ?? choices.preparation.sourceDistances.count)
            + 1
    }

    /// The named layouts, for help texts.
    package static var layoutNames: [String] { Layout.names + AmbisonicFormat.names }
}
