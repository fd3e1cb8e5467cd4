import Rooms
import Signal

/// Which room the stage stands in.
package struct RoomSettings: Hashable, Sendable {
    /// `none`, a preset's name, or the path of a SOFA file, a WAV file or a folder of WAV files.
    package var name: String
    /// Milliseconds from the start that follow the head, 5…1000.
    var early = 80.0
    /// Whether all loudspeakers share one tail.
    var isTailShared = false
    /// dB of what follows the direct sound.
    var level = 0.0

    /// A room by its name; all else as usual.
    package init(name: String = "none") { self.name = name }

    /// No room: the stage is dry.
    package var isDry: Bool { name == "none" }

    /// The names there are, for help texts.
    package static var names: [String] { ["none"] + Shoebox.presets.map(\.name) }

    /// The same, as the module Rooms takes it.
    var options: RoomOptions { RoomOptions(early: early / 1000, isTailShared: isTailShared, level: Decibels(level)) }
}
