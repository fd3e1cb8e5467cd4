import ArgumentParser
import Session

/// Options that choose the room, shared by `run`, `render` and `room info`.
struct RoomChoices: ParsableArguments {
    @Option(
        name: .customLong("room-early"),
        help: ArgumentHelp("How much of the room follows the head, in milliseconds from its start.", valueName: "ms"))
    var early: Double = 80

    @Option(
        name: .customLong("room-tail"),
        help: "The room's tail after that: each loudspeaker its own, or one shared by all, which costs less.")
    var tail: RoomSettings.Tail = .each

    @Option(
        name: .customLong("room-level"),
        help: ArgumentHelp(
            "Gain in dB of the room against the direct sound; the whole stays as loud as dry.", valueName: "dB"))
    var level: Double = 0

    /// Checks ranges that the types do not.
    func validate() throws {
        guard early.isFinite, (5...1000).contains(early) else {
            throw ValidationError("--room-early must lie between 5 and 1000 ms, not \(early)")
        }
        guard level.isFinite, (-60...20).contains(level) else {
            throw ValidationError("--room-level must lie between -60 and 20 dB, not \(level)")
        }
    }

    /// The same for a room of that name, as Session takes it.
    func settings(_ name: String) -> RoomSettings { RoomSettings(name: name, early: early, tail: tail, level: level) }
}

extension RoomSettings.Tail: ExpressibleByArgument {}
