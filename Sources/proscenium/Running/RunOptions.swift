import ArgumentParser
import AudioIO
import Desk
import Session
import Soundstage
import Stages

/// Inputs beside the main one.
struct MoreInputs: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "One more input beside that of --layout; again for another. Keys: \(InputSettings.keys).",
            valueName: "name=layout[,key=value...]"))
    var input: [String] = []
}

/// Recorded motion in place of trackers.
struct ReplayedMotion: ParsableArguments {
    @Option(help: ArgumentHelp("Head poses over stream time from a CSV, instead of trackers.", valueName: "csv"))
    var poses: String?
    @Option(help: ArgumentHelp("Head motion from a log of --record-motion, instead of trackers.", valueName: "log"))
    var motion: String?
}

/// Connections of the inputs, and the start of stream time.
struct StreamOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect the inputs, in order: 'physical', or ports as a list or pattern ('ardour:master/audio_out [12]').",
            valueName: "ports"))
    var connectIn: String?
    @Option(
        help: "What sets stream time 0: now (the first period), ctl ('ctl start'; silence until then) or transport.")
    var start: StartPolicy = .firstCycle
}

/// Files that a session records.
struct RecordingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Record the ears to a file as they are played.", valueName: "file")) var record: String?
    @Option(
        help: ArgumentHelp("Record the poses that were rendered, as a CSV for --poses.", valueName: "csv"))
    var recordPoses: String?
    @Option(
        help: ArgumentHelp(
            "Record what the trackers said and every pose that was rendered, to the last bit, for --motion.",
            valueName: "log"))
    var recordMotion: String?
}

/// Folder in which a session is saved, and its initial values.
struct KeptSession: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder in which the session is kept, and from which it comes back: options, values, plugins, connections; 'last' for one of your own.",
            valueName: "dir"))
    var session: String?
    @Flag(
        help:
            "Have a session from elsewhere write outside its folders and listen to other machines, as it asks."
    ) var trust = false
    @Flag(help: "Begin with the defaults, not with what was set when a session of this name played last.") var fresh =
        false
}

/// A pedal or key that recentres.
struct PedalOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A JACK MIDI port whose keys recentre, or only one note, or one controller (a pedal) at 64 and above.",
            valueName: "port[,note=n|,cc=n]"))
    var midiControl: String?
}

extension StartPolicy: ExpressibleByArgument {}

/// Reaction to the loss of the ears' connections.
struct RouteOptions: ParsableArguments {
    @Option(
        help:
            "When the ears' ports are gone: patch (mute; go on when the same ports are connected again within 5 s, later by 'ctl resume'), mute (until 'ctl resume'), reconnect (mute until the same ports are back), continue or quit."
    )
    var onRouteLoss: RouteLossPolicy = .patch
}

extension RouteLossPolicy: ExpressibleByArgument {}
