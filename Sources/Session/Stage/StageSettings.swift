import HRTF
import Rendering
import Soundstage

/// Everything the user can choose about the sound.
package struct StageSettings: Sendable {
    /// A layout's name or a path to a JSON file; nil: what the input says, else stereo.
    package var layout: String?
    /// Whose loudspeaker angles.
    package var angles: Layout.Angles
    /// How the channels of a sound field are ordered and scaled; unused for loudspeakers.
    package var ambisonics: AmbisonicFormat.Convention
    /// An HRTF set's name or path; nil: the default search order.
    package var hrtf: String?
    /// What is done to the HRTF set.
    package var processing: HRTFProcessing
    /// Frames per slice: 64, 128 or 256.
    package var slice: Int
    /// dB on top of the default trim.
    package var gain: Double
    /// dB of the LFE channel, both ears, against the others.
    package var lfeGain: Double
    /// What guards the output.
    package var limiter: OutputGuard
    /// The room the stage stands in.
    package var room: RoomSettings
    /// What is played, and how it meets the listener.
    package var programmes: ProgrammeSettings

    /// All choices.
    package init(
        layout: String? = nil, angles: Layout.Angles = .itu, ambisonics: AmbisonicFormat.Convention = .sn3d,
        hrtf: String? = nil, processing: HRTFProcessing = .automatic, slice: Int = 64, gain: Double = 0,
        lfeGain: Double = 10, limiter: OutputGuard = .instant, room: RoomSettings = RoomSettings(),
        programmes: ProgrammeSettings = ProgrammeSettings()
    ) {
        self.layout = layout
        self.angles = angles
        self.ambisonics = ambisonics
        self.hrtf = hrtf
        self.processing = processing
        self.slice = slice
        self.gain = gain
        self.lfeGain = lfeGain
        self.limiter = limiter
        self.room = room
        self.programmes = programmes
    }

    /// Takes what is said of the stage and of the main programme by the table of parameters; what is said of tracking is left.
    package mutating func take(_ changes: [ParameterChange]) {
        for change in changes {
            switch Parameter.named(change.parameter)?.effect {
            case .stage(let set): set(&self, change.value)
            case .controls: programmes.changes.append(change)
            case .upmix(let set): set(&programmes.opening.amounts, change.value)
            case .dynamics(let set): set(&programmes.dynamics, change.value)
            case .tracking, .room, nil: break
            }
        }
    }

    /// The layout of a name or a JSON file's path, at the angles and in the convention chosen here.
    ///
    /// - Throws: what is wrong with the name or the file.
    func layout(named name: String) throws(SessionError) -> Layout {
        do throws(SoundstageError) {
            if name.hasSuffix(".json") || name.contains("/") { return try Layout(jsonAt: name) }
            return try Layout.named(name, angles: angles, ambisonics: ambisonics)
        } catch {
            throw SessionError(error)
        }
    }

    /// The trim in dB before `gain`: −6, or 0 where the set plays unprocessed (the verification path).
    package var trim: Double { processing == .none ? 0 : -6 }

    /// The named layouts, for help texts.
    package static var layoutNames: [String] { Layout.names + AmbisonicFormat.names }
}
