import AudioIO
import Foundation
import Geometry
import HRTF
import Loading
import Rooms
import Signal
import Soundstage

/// Position of a source in a room.
package struct RoomPlace: Hashable, Sendable {
    /// Direction relative to a head that faces the front.
    package var direction: Direction<Stage>
    /// Distance from the head, metres; nil for the distance of the room's loudspeakers.
    package var distance: Double?
}

/// Loads a room and prepares it for a stage.
package enum RoomLoading {
    /// A room that is ready to play, and its report.
    package typealias Loaded = PreparedRooms.Room

    /// Loads the selected room for sources at `places` (nil for a source that plays dry), followed by the voices of the
    /// Audio Mix. `layout` is the stage's main layout. Returns nil without a room. Takes up to some seconds, or some
    /// tens of milliseconds with a cached room; never on the audio thread.
    ///
    /// `main` are the places of the main programme's loudspeakers. Sound files of a measured room have the loudspeakers
    /// in this order.
    ///
    /// A measured room contains the direct sound of its loudspeakers. Voices have positions of their own, so they are
    /// not rendered in a measured room.
    package static func load(
        _ settings: RoomSettings, _ places: [RoomPlace?], main: [RoomPlace?] = [], voices: [RoomPlace] = [],
        layout: Layout, field: FilterField, by reader: any SOFAReader, cache: PreparedRooms? = nil
    ) throws(SessionError) -> Loaded? {
        guard !settings.isDry else { return nil }
        guard layout.ambisonics == nil || !voices.isEmpty else {
            throw SessionError(
                .usage,
                "a room is for loudspeakers and for voices of an Audio Mix, a sound field (\(layout.name)) brings its own: give "
                    + "--room none with it, or --mix")
        }
        let made = Shoebox.presets.first { $0.name == settings.name }
        let path = try MakingName.room.path(of: settings.name)
        guard made == nil || !settings.isTailShared || voices.allSatisfy({ $0.distance == nil }) else {
            throw SessionError(
                .usage, "a shared tail has no distances: give --room-tail each with --voice-distance")
        }
        guard made != nil || voices.isEmpty || places.contains(where: { $0 != nil }) else {
            throw SessionError(
                .usage,
                "a measured room plays the direct sound of its own loudspeakers, where no voice stands: give one that is "
                    + "made (\(Shoebox.presets.map(\.name).joined(separator: ", "))) with a sound field, or --room none"
            )
        }
        do throws(RoomError) {
            let prepare = { () throws(RoomError) -> Loaded in
                if let box = made {
                    let all = places + voices
                    return try RoomResponses.generate(
                        box, for: all.map { $0?.direction }, at: settings.isTailShared ? [] : all.map { $0?.distance },
                        heardThrough: field, options: settings.options)
                }
                let directions = places.map { $0?.direction } + [Direction<Stage>?](repeating: nil, count: voices.count)
                return try RoomResponses.prepare(
                    try views(path, by: reader), for: directions, layout: main.map { $0?.direction },
                    heardThrough: field, options: settings.options)
            }
            guard let cache, let source = made.map({ "\($0)" }) ?? state(of: path) else {
                return try prepare()
            }
            // Swift's description of the settings contains every stored property with all digits, so it identifies them
            // in the cache.
            var identity = settings
            identity.name = source
            // The order of the main layout matters for measured rooms only.
            let order: [RoomPlace?] = made == nil ? main : []
            let words = ["\(identity)", "\(places.count) \(order.count)"]
            let stands: [RoomPlace?] = places + order
            return try cache.room(
                words
                    + (stands + voices).map { place in
                        place.map { "\($0.direction.unit) \($0.distance.map { "\($0)" } ?? "")" } ?? "dry"
                    }, heardThrough: field, prepare: prepare)
        } catch {
            throw SessionError(error)
        }
    }

    /// Paths and states of a measured room's files, by which a prepared room in the cache is recognised; nil if there
    /// is no such file.
    private static func state(of path: String) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        let names =
            isFolder.boolValue ? (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] : []
        let states = ([path] + names.map { path + "/" + $0 }).map { file in
            "\(file) \(CacheEntries.state(of: file) ?? "")"
        }
        return states.joined(separator: "\n")
    }

    /// Opens a measured room by its path: a folder of sound files, a sound file, or otherwise a SOFA file.
    private static func views(_ path: String, by reader: any SOFAReader) throws(RoomError) -> RoomViews {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            // A word without a dot or a slash is taken as a misspelt name.
            if path.contains("/") || path.contains(".") { return try reader.room(at: path) }
            throw .unknownRoom(name: path, known: Shoebox.presets.map(\.name) + MakingName.room.people)
        }
        if isFolder.boolValue { return try RoomRecordings.folder(path) }
        if SoundFileFormat.isNamed(path) { return try RoomRecordings.file(path) }
        return try reader.room(at: path)
    }
}
