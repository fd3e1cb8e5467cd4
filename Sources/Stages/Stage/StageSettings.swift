import HRTF
import Loading
import Racks
import Rendering
import Soundstage

/// All of the user's choices about the sound. The values of `choices` are also members: `settings.gain`.
@dynamicMemberLookup
package struct StageSettings: Sendable {
    /// Choices of the stage from the table of parameters.
    package var choices = StageChoices()
    /// Settings of the programmes.
    package var programmes: ProgrammeSettings
    /// Plugins in the chains, in order.
    package var plugins: [PluginRequest] = []
    /// Whether unavailable plugins are reported and kept; otherwise they cause an error.
    package var isForgiving = false
    /// Source of plugins.
    package var shelf = PluginShelf.machine
    /// Reader of SOFA files; by default this process, for use without playback.
    package var reader: any SOFAReader = InProcessReader()
    /// Whether prepared rooms are kept in the program's cache and taken from it.
    package var keepsRooms = false

    /// Creates settings; see the properties.
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

    /// Accesses a member of `choices`.
    package subscript<Value>(dynamicMember choice: WritableKeyPath<StageChoices, Value>) -> Value {
        get { choices[keyPath: choice] }
        set { choices[keyPath: choice] = newValue }
    }

    /// Equalisation of the played HRTF set: that of `preparation`, or none if its diffuse-field equalisation is off.
    package var equalisation: HRTFProcessing { choices.preparation.equalisation }

    /// The layout of `choices`. It is declared because there is a method of the same name.
    package var layout: String? {
        get { choices.layout }
        set { choices.layout = newValue }
    }

    /// Applies the changes of stage parameters and of the main programme; ignores all others.
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

    /// Returns the layout with this name, with the angles and convention of these settings, or the layout in this JSON
    /// file.
    ///
    /// - Throws: an error of the name or the file.
    package func layout(named name: String) throws(SessionError) -> Layout {
        do throws(SoundstageError) {
            if MakingName.layout.isFile(name) { return try Layout(jsonAt: name) }
            return try Layout.named(name, angles: choices.angles, ambisonics: choices.ambisonics)
        } catch {
            throw SessionError(error)
        }
    }

    /// Returns these settings with the distances of the loudspeakers in all inputs' layouts, and of the voices. A set
    /// prepared with these settings has an HRTF field for each distance.
    ///
    /// - Throws: an error of a layout's name or file.
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

    /// Returns the number of the HRTF field of a loudspeaker or a voice at a distance, in a set prepared for these
    /// distances. The field of the set itself has number 0.
    package func shell(at distance: Double?) -> Int {
        guard let distance else { return 0 }
        // A distance that is missing in the set is reported when the stage is created.
        return
            (choices.preparation.sourceDistances.firstIndex(of: distance) ?? choices.preparation.sourceDistances.count)
            + 1
    }

    /// Names of the layouts, for help texts.
    package static var layoutNames: [String] { Layout.names + AmbisonicFormat.names }
}
