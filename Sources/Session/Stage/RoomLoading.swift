import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Soundstage

/// Finds a room and prepares it for a stage.
package enum RoomLoading {
    /// A room that is ready to play, and what it is.
    package typealias Loaded = (responses: RoomResponses, report: RoomReport)

    /// The room asked for, for sources in these directions (nil: dry) on a stage of the given main layout; nil where
    /// none was. Up to some seconds; never on the audio thread.
    static func load(
        _ settings: RoomSettings, directions: [Direction<Stage>?], layout: Layout, field: FilterField,
        by reader: any SOFAReader
    ) throws(SessionError) -> Loaded? {
        guard !settings.isDry else { return nil }
        guard layout.ambisonics == nil else {
            throw SessionError(
                .usage,
                "a room is for loudspeakers, a sound field (\(layout.name)) brings its own: give --room none with it")
        }
        do throws(RoomError) {
            if let box = Shoebox.presets.first(where: { $0.name == settings.name }) {
                return try RoomResponses.generate(
                    box, for: directions, heardThrough: field, options: settings.options)
            }
            return try RoomResponses.prepare(
                try views(settings.name, by: reader), for: directions, heardThrough: field, options: settings.options)
        } catch {
            throw SessionError(error)
        }
    }

    /// A measured room by its path: a folder or a sound file by WAV, else SOFA.
    private static func views(_ path: String, by reader: any SOFAReader) throws(RoomError) -> RoomViews {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            // A word without a dot or a slash was meant as a name.
            if path.contains("/") || path.contains(".") { return try reader.room(at: path) }
            throw .unknownRoom(name: path, known: Shoebox.presets.map(\.name))
        }
        if isFolder.boolValue { return try RoomRecordings.folder(path) }
        let ending = (path as NSString).pathExtension.lowercased()
        if ["wav", "wave", "flac", "aif", "aiff", "w64", "rf64", "caf"].contains(ending) {
            return try RoomRecordings.file(path)
        }
        return try reader.room(at: path)
    }
}
