import AudioIO
import Foundation
import Geometry
import Loading
import Rooms
import SOFA
import Soundstage
import Stages

/// A room in sound files, to be written as a SOFA file: one file in HeSuVi's or a layout's order, or a folder with one
/// file for each yaw of the head.
struct RecordedRoom {
    /// The room as it is written.
    let room: WrittenRoom
    /// Peculiarities for the user, one sentence each.
    let notes: [String]

    /// Greatest number of samples of all responses together: 1 GiB in memory.
    private static let mostSamples = 1 << 28
    /// Distance that is written, because sound files state none, metres.
    private static let distance = 2.0

    /// Returns whether a path is that of a folder, or has the extension of a sound file.
    static func isNamed(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return (exists && isFolder.boolValue) || SoundFileFormat.isNamed(path)
    }

    /// Reads the room.
    ///
    /// - Parameters:
    ///   - layout: layout of the loudspeakers, with two channels for each; nil for files in HeSuVi's order.
    ///   - going: receives the share done, 0…1; returns false to end the reading.
    /// - Throws: `Failure` and `SessionError` with the remedy.
    init(
        at path: String, layout: String?, attributes: [String: String], going: (Double) -> Bool
    ) throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let views: RoomViews
        do throws(RoomError) {
            views = try isFolder.boolValue ? RoomRecordings.folder(path) : RoomRecordings.file(path)
        } catch { throw SessionError(error) }
        let chosen = try Self.places(views, layout: layout, path: path)
        let looks = views.sources[0].views.map(\.yaw).enumerated().sorted { $0.element < $1.element }
        let count = looks.count.multipliedReportingOverflow(by: 2 * chosen.count * views.sampleCount)
        guard !count.overflow, count.partialValue <= Self.mostSamples else {
            throw Failure(.input, "\(path): holds more than \(Self.mostSamples) samples; shorten the responses")
        }
        var responses: [[[[Float]]]] = []
        for (place, look) in looks.enumerated() {
            guard going(Double(place) / Double(looks.count)) else { throw SessionError(.interrupted, "stopped") }
            var row: [[[Float]]] = []
            for (source, _) in chosen {
                do throws(RoomError) {
                    let ears = try views.read(views.sources[source].views[look.offset].key, views.sampleCount)
                    row.append([ears.left, ears.right])
                } catch { throw SessionError(error) }
            }
            responses.append(row)
        }
        var texts = attributes
        texts["RoomDescription"] = "from sound files"
        room = WrittenRoom(
            attributes: texts, sampleRate: views.sampleRate, sampleCount: views.sampleCount,
            yaws: looks.map { $0.element * 180 / .pi }, loudspeakers: chosen.map(\.place), responses: responses)
        let unknown = "distances are not stated in sound files; \(Self.distance) m are written"
        notes = views.remarks + [unknown]
    }

    /// Returns the sources to be written and their places.
    private static func places(
        _ views: RoomViews, layout: String?, path: String
    ) throws -> [(source: Int, place: WrittenRoom.Loudspeaker)] {
        let known = views.sources.compactMap(\.direction)
        if layout == nil, known.count == views.sources.count {
            return known.enumerated().map { source, direction in
                (
                    source,
                    .init(
                        azimuth: direction.azimuth * 180 / .pi, elevation: direction.elevation * 180 / .pi,
                        distance: distance)
                )
            }
        }
        let count = views.sources.count
        guard let layout else {
            throw Failure(
                .usage,
                "\(path) does not tell which loudspeakers its \(2 * count) channels belong to; give --layout with \(count) "
                    + "loudspeakers in its order, or name files in HeSuVi's order '…hesuvi….wav'")
        }
        let loudspeakers = try StageSettings().layout(named: layout).loudspeakers
        guard loudspeakers.count == count else {
            throw Failure(
                .usage,
                "\(path) holds \(count) loudspeakers, the layout \(layout) has \(loudspeakers.count); give another --layout"
            )
        }
        let places = loudspeakers.enumerated().filter { !$0.element.isLowFrequency }.map { source, loudspeaker in
            (
                source,
                WrittenRoom.Loudspeaker(
                    azimuth: loudspeaker.azimuthDegrees, elevation: loudspeaker.elevationDegrees,
                    distance: loudspeaker.distance ?? distance)
            )
        }
        guard !places.isEmpty else { throw Failure(.usage, "the layout \(layout) has no loudspeakers; give another") }
        return places
    }
}
