import HRTF
import Rendering
import Rooms
import Signal
import Soundstage

/// What the table of parameters can choose of a stage before it is prepared.
package struct StageChoices: Sendable, Equatable {
    /// A layout's name or a path to a JSON file; nil: what the input says, else stereo.
    package var layout: String?
    /// An HRTF set's name or path; nil: the default search order.
    package var hrtf: String?
    /// Whose loudspeaker angles.
    package var angles = Layout.Angles.itu
    /// How the channels of a sound field are ordered and scaled; unused for loudspeakers.
    package var ambisonics = AmbisonicFormat.Convention.sn3d
    /// What is done to the HRTF set.
    package var preparation = HRTFOptions()
    /// Metres from the head to the voices of an Audio Mix; nil: as far as loudspeakers are.
    package var voiceDistance: Double?
    /// Frames per slice: 64, 128 or 256.
    package var slice = 64
    /// dB on top of the default trim.
    package var gain = 0.0
    /// dB of the LFE channel, both ears, against the others.
    package var lfeGain = 10.0
    /// What guards the output.
    package var limiter = OutputGuard.instant
    /// The room the stage stands in.
    package var room = RoomSettings()
    /// What is done for the listener's headphones.
    package var headphones = HeadphoneSettings()

    /// The trim in dB before `gain`: −6, or 0 where the set plays unprocessed (the verification path).
    package var trim: Double { preparation.processing == .none ? 0 : -6 }
}

/// Which room the stage stands in.
package struct RoomSettings: Hashable, Sendable {
    /// `none`, a preset's name, or the path of a SOFA file, a WAV file or a folder of WAV files.
    package var name: String
    /// Milliseconds from the start that follow the head, 5…1000.
    package var early = 80.0
    /// Whether all loudspeakers share one tail.
    package var isTailShared = false
    /// dB of what follows the direct sound.
    package var level = 0.0

    /// A room by its name; all else as usual.
    package init(name: String = "none") { self.name = name }

    /// No room: the stage is dry.
    package var isDry: Bool { name == "none" }

    /// The names there are, for help texts.
    package static var names: [String] { ["none"] + Shoebox.presets.map(\.name) }

    /// The same, as the module Rooms takes it.
    package var options: RoomOptions {
        RoomOptions(early: early / 1000, isTailShared: isTailShared, level: Decibels(level))
    }
}
