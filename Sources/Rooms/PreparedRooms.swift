import Foundation
import Gate
import HRTF
import Signal

/// Cache of prepared rooms. A cached room is ready in some tens of milliseconds.
///
/// An entry's name is a hash of the room, the places of the sources, the head, the rate, the options and the program
/// that prepared it. Stages (renderers of virtual loudspeakers) of this process that play the same room share its
/// responses. A room with a damaged entry is prepared again. If the disk is full, the room plays without an entry, and
/// its report states this.
///
/// May be used on any thread but the audio thread.
package struct PreparedRooms: Hashable, Sendable {
    /// A room that is ready to play, and its report.
    package typealias Room = (responses: RoomResponses, report: RoomReport)

    private var entries: CacheEntries

    /// Creates a cache of at most `capacity` bytes in a folder.
    package init(folder: String, capacity: Int = 1 << 30) {
        entries = CacheEntries(folder: folder, capacity: capacity, suffix: ".room")
    }

    /// The program's own cache: `rooms` in `CacheFolder`.
    package static var standard: PreparedRooms { PreparedRooms(folder: CacheFolder.path + "/rooms") }

    /// Rooms that stages of this process play, by the paths of their entries.
    private static let played = SharedObjects<String, RoomResponses, RoomReport>()

    /// Returns the room that `words` describe for a head. If no stage plays the room and the cache does not contain it,
    /// `prepare` makes it, and it is stored in the cache.
    ///
    /// - Parameter words: all that the room depends on besides head and program.
    package func room(
        _ words: [String], heardThrough field: FilterField, prepare: () throws(RoomError) -> Room
    ) throws(RoomError) -> Room {
        var hash = SHA256()
        for word in words + ["\(field.fingerprint())", CacheEntries.program] {
            hash.add("\(word.utf8.count) \(word)".utf8)
        }
        let name = hash.finish()
        if let (responses, report) = Self.played.find(entries.path(name)) { return (responses, report) }
        var remarks: [String] = []
        if let bytes = entries.find(name) {
            if let found = bytes.withUnsafeBytes({ Self.decoded($0) }) {
                Self.played.add(found.responses, found.report, as: entries.path(name))
                return found
            }
            entries.remove(name)
            remarks = ["its prepared copy in \(entries.folder) was damaged, and the room is prepared again"]
        }
        var made = try prepare()
        do {
            try entries.keep(try Self.encoded(made), as: name)
        } catch {
            let reason = (error as? CacheEntries.NotKept)?.reason ?? error.localizedDescription
            remarks.append("the prepared data could not be stored in \(entries.folder): \(reason)")
        }
        Self.played.add(made.responses, made.report, as: entries.path(name))
        made.report.remarks += remarks
        return made
    }

    // MARK: - Encoding

    /// Description of the room. In the entry it precedes the samples.
    private struct Description: Codable {
        var hertz: Double
        var sources: Int
        var yaws: Int
        var early: Int
        var tail: Int
        var isTailShared: Bool
        var includesDirect: Bool
        var directGain: Float
        /// Index of the room's source for each source of the stage; −1 if the stage's source stays dry.
        var assignment: [Int]
        var report: RoomReport
    }

    private static let mark = Array("proscenium room 1".utf8)

    /// Returns a room as the bytes of a `CacheEnvelope`; its numbers are the early rows and the tails as float32.
    static func encoded(_ room: Room) throws -> [UInt8] {
        let responses = room.responses
        let description = Description(
            hertz: responses.sampleRate.hertz, sources: responses.sourceCount, yaws: responses.yawCount,
            early: responses.earlyTaps, tail: responses.tailTaps, isTailShared: responses.isTailShared,
            includesDirect: responses.includesDirect, directGain: responses.directGain,
            assignment: responses.assignment.map { $0 ?? -1 }, report: room.report)
        return try CacheEnvelope.seal(mark, description, count: responses.byteCount) { bytes in
            func add(_ row: UnsafePointer<Float>, _ count: Int) {
                bytes += UnsafeRawBufferPointer(UnsafeBufferPointer(start: row, count: count))
            }
            for source in 0..<responses.sourceCount {
                for yaw in 0..<responses.yawCount {
                    for ear in 0..<2 {
                        add(responses.early(source: source, yaw: yaw, ear: ear), responses.earlyTaps)
                    }
                }
            }
            for source in 0..<(responses.isTailShared ? 1 : responses.sourceCount) {
                for ear in 0..<2 { add(responses.tail(source: source, ear: ear), responses.tailTaps) }
            }
        }
    }

    /// Decodes a room; nil if the bytes are damaged, of another format, or hold a number out of range.
    static func decoded(_ bytes: UnsafeRawBufferPointer) -> Room? {
        guard let (told, body) = CacheEnvelope.open(bytes, mark, as: Description.self),
            let rate = SampleRate(hertz: told.hertz), (1...4096).contains(told.sources), (1...3600).contains(told.yaws),
            (16...(1 << 24)).contains(told.early), told.early % 16 == 0, (0...(1 << 26)).contains(told.tail),
            told.directGain.isFinite, told.assignment.allSatisfy({ (-1..<told.sources).contains($0) })
        else { return nil }
        let earlyRows = 2 * told.sources * told.yaws
        let tailRows = 2 * (told.isTailShared ? 1 : told.sources)
        var place = 0
        guard body.count - place == 4 * (earlyRows * told.early + tailRows * told.tail) else { return nil }
        let early = PlanarBlock(channels: earlyRows, frames: told.early)
        let tail = PlanarBlock(channels: tailRows, frames: told.tail)
        var areFinite = true
        func fill(_ block: borrowing PlanarBlock) {
            for row in 0..<block.channelCount {
                let size = 4 * block.frameCapacity
                UnsafeMutableRawPointer(block[row]).copyMemory(
                    from: body.baseAddress.unsafelyUnwrapped + place, byteCount: size)
                place += size
                let samples = UnsafeBufferPointer(start: block[row], count: block.frameCapacity)
                areFinite = areFinite && CacheEntries.areFinite(samples)
            }
        }
        fill(early)
        fill(tail)
        guard areFinite else { return nil }
        let responses = RoomResponses(
            sampleRate: rate, yawCount: told.yaws, early: early, tail: tail, isTailShared: told.isTailShared,
            includesDirect: told.includesDirect, directGain: told.directGain,
            assignment: told.assignment.map { $0 < 0 ? nil : $0 })
        return (responses, told.report)
    }
}
