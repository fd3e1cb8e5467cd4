extension ControlWord {
    /// All there are.
    static let all =
        ofSession + PlaybackMessages.commands + RecordMessages.commands + SurfaceMessages.commands
        + PluginMessages.commands + PreviewMessages.commands + CalibrationMessages.commands

    /// Those of the session as a whole, and of the doors themselves.
    private static let ofSession = [
        ControlWord("recentre", "makes where the head points now the front; or `yaw`, `full` or `reset`"),
        ControlWord("recentre/yaw", "makes where the head points now the front, in yaw alone"),
        ControlWord("recentre/full", "makes where the head points now the front, in all three angles"),
        ControlWord("recentre/reset", "takes all recentring back"),
        ControlWord("start", "sets stream time 0, now or at a JACK frame"),
        ControlWord("status", "answers with the state as JSON"),
        ControlWord(
            "picture", "answers with where the loudspeakers stand, and what can be chosen in their place, as JSON"),
        ControlWord("loudness", "answers with the loudness meters as JSON; with `reset` begins them anew"),
        ControlWord("loudness/reset", "begins the loudness meters anew"),
        ControlWord("watch", "f", "sends the state to the sender so many times per second, 30 s long; over UDP"),
        ControlWord("subscribe", "sends what is new: all, or `state`, `events`, `meters`, `pose`"),
        ControlWord("unsubscribe", "ends that"),
        ControlWord("token", "s", "opens a door on a network to whoever knows the session's token"),
        ControlWord("undo", "undoes the newest change"),
        ControlWord("redo", "does again what was undone"),
        ControlWord("quit", "ends the session"),
    ]
}
