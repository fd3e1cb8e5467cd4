import HRTF
import Rendering
import Rooms
import Signal
import Soundstage

/// Choices of a stage that the table of parameters can set before the stage is prepared.
package struct StageChoices: Sendable, Equatable {
    /// A layout's name or a path to a JSON file; nil for the input's layout or, if the input declares none, stereo.
    package var layout: String?
    /// An HRTF set's name or path; nil for the first existing set in the default search order.
    package var hrtf: String?
    /// Standard of the loudspeaker angles.
    package var angles = Layout.Angles.itu
    /// Order and scale of a sound field's channels; unused for loudspeakers.
    package var ambisonics = AmbisonicFormat.Convention.sn3d
    /// Options of the HRTF set's preparation.
    package var preparation = HRTFOptions()
    /// Distance of the voices that an Audio Mix separates from a sound field, metres; nil for the distance of
    /// loudspeakers that have none of their own.
    package var voiceDistance: Double?
    /// Frames per slice: 64, 128 or 256.
    package var slice = 64
    /// Gain in addition to the default trim, dB.
    package var gain = 0.0
    /// Level of the LFE channel at both ears relative to the other channels, dB.
    package var lfeGain = 10.0
    /// Output limiter.
    package var limiter = OutputGuard.instant
    /// The room of the stage.
    package var room = RoomSettings()
    /// Equalisation of the listener's headphones.
    package var headphones = HeadphoneSettings()

    /// Trim before `gain`, dB: −6, or 0 with an unprocessed set (`--processing none`), which is used for verification.
    package var trim: Double { preparation.processing == .none ? 0 : -6 }
}

/// Choice of a room.
package struct RoomSettings: Hashable, Sendable {
    /// `none`, the name of a preset or a measured person, or the path of a SOFA file, a sound file or a folder of sound
    /// files.
    package var name: String
    /// Length of the response's first part, which follows the head, milliseconds, 5…1000.
    package var early = 80.0
    /// Whether all loudspeakers share one tail (the part that does not follow the head).
    package var isTailShared = false
    /// Gain of the room's sound after the direct sound relative to the direct sound, dB.
    package var level = 0.0

    /// Creates the settings of a named room with defaults.
    package init(name: String = "none") { self.name = name }

    /// Whether there is no room: the stage is dry.
    package var isDry: Bool { name == "none" }

    /// Built-in names of rooms, `none` first.
    package static var names: [String] { ["none"] + Shoebox.presets.map(\.name) }

    /// The settings as options of the module Rooms.
    package var options: RoomOptions {
        RoomOptions(early: early / 1000, isTailShared: isTailShared, level: Decibels(level))
    }
}
