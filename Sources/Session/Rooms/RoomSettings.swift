import Rooms
import Signal

/// Which room the stage stands in, in the words of the command line.
package struct RoomSettings: Hashable, Sendable {
    /// Whether each loudspeaker has its own tail.
    package enum Tail: String, Sendable, CaseIterable { case each, shared }

    /// `none`, a preset's name, or the path of a SOFA file, a WAV file or a folder of WAV files.
    package var name: String
    /// Milliseconds from the start that follow the head, 5…1000.
    package var early: Double
    /// Whether each loudspeaker has its own tail.
    package var tail: Tail
    /// dB of what follows the direct sound.
    package var level: Double

    /// All choices.
    package init(name: String = "none", early: Double = 80, tail: Tail = .each, level: Double = 0) {
        self.name = name
        self.early = early
        self.tail = tail
        self.level = level
    }

    /// No room: the stage is dry.
    package var isDry: Bool { name == "none" }

    /// The names there are, for help texts.
    package static var names: String { (["none"] + Shoebox.presets.map(\.name)).joined(separator: ", ") }

    /// The same, as the module Rooms takes it.
    var options: RoomOptions {
        RoomOptions(early: early / 1000, isTailShared: tail == .shared, level: Decibels(level))
    }
}
