import ArgumentParser
import Control
import Stages

/// Values that shells offer for the options of several commands.
extension CompletionKind {
    /// Layouts, and files of custom ones.
    static var layouts: CompletionKind {
        .custom { _, _, typed in StageSettings.layoutNames + FilesHere.offered(typed, [".json"]) }
    }

    /// Installed HRTF sets by name, measured people, and SOFA files.
    static var sets: CompletionKind {
        .custom { _, _, typed in MakingName.hrtf.choices + FilesHere.offered(typed, [".sofa"]) }
    }

    /// Rooms, those of measured people and files included.
    static var rooms: CompletionKind {
        .custom { _, _, typed in MakingName.room.choices + FilesHere.offered(typed, [".sofa", ".wav"]) }
    }

    /// Trackers, with their usual ports.
    static var trackers: CompletionKind { .list(TrackingOptions.kinds) }

    /// Sample rates in common use, Hz.
    static var rates: CompletionKind { .list(["44100", "48000", "88200", "96000", "192000"]) }

    /// Names of the running sessions.
    static var sessions: CompletionKind { .custom { _, _, _ in SessionSockets.running() } }

    /// URIs of the installed plugins.
    static var plugins: CompletionKind { .custom { _, _, _ in PluginSearch.identifiers } }

    /// Places of plugins; after a place and `=`, the installed plugins.
    static var placedPlugins: CompletionKind {
        .custom { _, _, typed in
            let places = ["main", "ears", "field"]
            guard let equals = typed.firstIndex(of: "=") else { return places.map { $0 + "=" } }
            return PluginSearch.identifiers.map { typed[...equals] + $0 }
        }
    }
}
