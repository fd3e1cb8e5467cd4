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
            "An input beside that of --layout; may be repeated. Keys: \(InputSettings.keys).",
            valueName: "name=layout[,key=value...]"))
    var input: [String] = []
}

/// Recorded motion in place of trackers.
struct ReplayedMotion: ParsableArguments {
    @Option(
        help: ArgumentHelp("Head poses over stream time from a CSV, instead of trackers.", valueName: "csv"),
        completion: .file())
    var poses: String?
    @Option(
        help: ArgumentHelp("Head motion from a log of --record-motion, instead of trackers.", valueName: "log"),
        completion: .file())
    var motion: String?
}

/// Connections of the inputs, and the start of stream time.
struct StreamOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect the inputs, in order: 'physical', or ports as a list or pattern ('ardour:Master/audio_out [12]').",
            valueName: "ports"),
        completion: .list(["physical"]))
    var connectIn: String?
    @Option(
        help:
            "What sets stream time 0: now (the first period), ctl ('ctl start'; silence until then) or transport (JACK's)."
    )
    var start: StartPolicy = .firstCycle
}

/// Files that a session records.
struct RecordingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Record the ears to a file as they are played.", valueName: "file"), completion: .file())
    var record: String?
    @Option(
        help: ArgumentHelp("Record the poses as rendered, as a CSV for --poses.", valueName: "csv"), completion: .file()
    )
    var recordPoses: String?
    @Option(
        help: ArgumentHelp(
            "Record the trackers' samples and every pose as rendered, to the last bit, for --motion.",
            valueName: "log"),
        completion: .file())
    var recordMotion: String?
}

/// Folder in which a session is saved, and its initial values.
struct KeptSession: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder in which the session is saved, and from which it is restored: options, values, plugins, connections; 'last' means $XDG_STATE_HOME/proscenium/last.",
            valueName: "dir"),
        completion: .custom { _, _, typed in ["last"] + FilesHere.offered(typed, []) })
    var session: String?
    @Flag(
        help:
            "Permit a session that you did not save to write outside its folders and to listen to other machines, as it requests."
    ) var trust = false
    @Flag(help: "Begin with the defaults, not with the values of the last session of this name.") var fresh =
        false
}

/// A pedal or key that recentres.
struct PedalOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A JACK MIDI port whose keys recentre; with note= only that note, with cc= that controller (a pedal) at 64 and above.",
            valueName: "port[,note=n|,cc=n]"))
    var midiControl: String?
}

extension StartPolicy: ExpressibleByArgument {}

/// Reaction to the loss of the ears' connections.
struct RouteOptions: ParsableArguments {
    @Option(
        help:
            "When an ear loses its port: patch (mute; resume when the same ports are connected again within 5 s, later by 'ctl resume'), mute (until 'ctl resume'), reconnect (mute until the same ports are back), continue or quit."
    )
    var onRouteLoss: RouteLossPolicy = .patch
}

extension RouteLossPolicy: ExpressibleByArgument {}
