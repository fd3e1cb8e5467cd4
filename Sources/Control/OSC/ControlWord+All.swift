extension ControlWord {
    /// All of them.
    static let all =
        ofSession + PlaybackMessages.commands + RecordMessages.commands + SurfaceMessages.commands
        + PluginMessages.commands + PreviewMessages.commands + CalibrationMessages.commands

    /// Those of the session as a whole, and of the doors themselves.
    private static let ofSession = [
        ControlWord(
            "recentre", .perhaps("'yaw', 'full' or 'reset'"),
            "makes where the head points now the front; or `yaw`, `full` or `reset`"),
        ControlWord("recentre/yaw", "makes where the head points now the front, in yaw alone"),
        ControlWord("recentre/full", "makes where the head points now the front, in all three angles"),
        ControlWord("recentre/reset", "takes all recentring back"),
        ControlWord("start", .perhaps("a JACK frame as a whole number"), "sets stream time 0, now or at a JACK frame"),
        ControlWord("status", "answers with the state as JSON"),
        ControlWord(
            "picture", "answers with where the loudspeakers stand, and what can be chosen in their place, as JSON"),
        ControlWord(
            "loudness", .perhaps("'reset'"), "answers with the loudness meters as JSON; with `reset` begins them anew"),
        ControlWord("loudness/reset", "begins the loudness meters anew"),
        ControlWord(
            "watch", "f", "a number of times per second, 0.05 to 100, or 0 for an end",
            "sends the state to the sender so many times per second, 30 s long; over UDP"),
        ControlWord(
            "subscribe", .perhaps("any of \(topics)"), "sends what is new: all, or `state`, `events`, `meters`, `pose`"),
        ControlWord("unsubscribe", .perhaps("the HOST:PORT that was named"), "ends that"),
        ControlWord(
            "token", "s", "this session's token", "opens a door on a network to clients that know the session's token"),
        ControlWord("undo", "undoes the newest change"),
        ControlWord("redo", "does again what was undone"),
        ControlWord("quit", "ends the session"),
    ]
    private static let topics = Subscription.Topic.allCases.map(\.rawValue).joined(separator: ", ")
}
