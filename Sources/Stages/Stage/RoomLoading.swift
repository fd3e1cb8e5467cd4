import AudioIO
import Foundation
import Geometry
import HRTF
import Loading
import Rooms
import Signal
import Soundstage

/// Where something stands in a room.
package struct RoomPlace: Hashable, Sendable {
    /// Seen from the head while that faces the front.
    package var direction: Direction<Stage>
    /// Metres from the head; nil: as far as loudspeakers stand in the room.
    package var distance: Double?
}

/// Finds a room and prepares it for a stage.
package enum RoomLoading {
    /// A room that is ready to play, and what it is.
    package typealias Loaded = (responses: RoomResponses, report: RoomReport)

    /// The room asked for, for sources at these places (nil: dry) on a stage of the given main layout, and the voices
    /// of its mix behind them; nil where none was. Up to some seconds; never on the audio thread.
    ///
    /// A measured room plays its loudspeakers' direct sound too: voices, which have places of their own,
    /// stay out of it.
    package static func load(
        _ settings: RoomSettings, _ places: [RoomPlace?], voices: [RoomPlace] = [], layout: Layout, field: FilterField,
        by reader: any SOFAReader
    ) throws(SessionError) -> Loaded? {
        guard !settings.isDry else { return nil }
        guard layout.ambisonics == nil || !voices.isEmpty else {
            throw SessionError(
                .usage,
                "a room is for loudspeakers and for voices of an Audio Mix, a sound field (\(layout.name)) brings its own: give "
                    + "--room none with it, or --mix")
        }
        let made = Shoebox.presets.first { $0.name == settings.name }
        guard made == nil || !settings.isTailShared || voices.allSatisfy({ $0.distance == nil }) else {
            throw SessionError(
                .usage, "a tail that is shared knows no distances: give --room-tail each with --voice-distance")
        }
        guard made != nil || voices.isEmpty || places.contains(where: { $0 != nil }) else {
            throw SessionError(
                .usage,
                "a measured room plays the direct sound of its own loudspeakers, where no voice stands: give one that is "
                    + "made (\(Shoebox.presets.map(\.name).joined(separator: ", "))) with a sound field, or --room none"
            )
        }
        do throws(RoomError) {
            if let box = made {
                let all = places + voices
                return try RoomResponses.generate(
                    box, for: all.map { $0?.direction }, at: settings.isTailShared ? [] : all.map { $0?.distance },
                    heardThrough: field, options: settings.options)
            }
            let directions = places.map { $0?.direction } + [Direction<Stage>?](repeating: nil, count: voices.count)
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
        if SoundFileFormat.isNamed(path) { return try RoomRecordings.file(path) }
        return try reader.room(at: path)
    }
}
