/// Content of a file's tracks according to the file's audio definition model: `chna` and `axml` (ITU-R BS.2076-2,
/// BS.2088-1) and the common definitions (BS.2094).
///
/// Reading takes milliseconds for a bed (only loudspeaker channels), and some seconds for the largest accepted model.
package struct AudioModel: Sendable {
    /// Largest accepted size of `axml`, bytes: 64 MiB. Models of films with hundreds of objects have about 10 MiB.
    package static let largestDocument = 64 << 20

    /// Defined tracks, sorted by number. Tracks without a row in `chna` are left out. A track with several different
    /// contents, such as the signal of two loudspeakers, has an entry for each, in the order of the identifiers.
    package let tracks: [DefinedTrack]
    /// Texts about the gains and mutes that the model states for objects and channels. These gains and mutes are not
    /// applied.
    package let remarks: [String]

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - allocation: content of `chna`.
    ///   - document: content of `axml`; nil without this chunk. Common definitions need no `axml`.
    ///   - trackCount: number of channels of the file.
    /// - Throws: `ADMError` for an invalid model, and for a track whose definition is incomplete.
    package init(allocation: [UInt8], document: [UInt8]?, trackCount: Int) throws(ADMError) {
        let rows = try TrackRow.rows(allocation)
        if let row = rows.first(where: { $0.track > trackCount }) {
            throw .noSuchTrack(row.track, uid: row.uid, count: trackCount)
        }
        if let document, document.count > Self.largestDocument { throw .tooLarge(bytes: document.count) }
        let read = try document.map { bytes throws(ADMError) in try ModelReader.read(bytes) } ?? ModelDocument()
        for kind in [ModelElement.Kind.object, .packFormat] {
            let references = read.elements[kind]?.mapValues { $0.references[kind] ?? [] } ?? [:]
            if let circle = ReferenceCircle.find(references) { throw .circle(circle) }
        }
        let definitions = TrackDefinitions(read)
        let objects = try Self.objects(read, rows)
        var found: [DefinedTrack] = []
        var places: [Int: [Int]] = [:]
        for row in rows.sorted(by: { ($0.track, $0.uid) < ($1.track, $1.uid) }) {
            let content = try definitions.content(of: row)
            let names = objects[row.uid] ?? []
            let same = places[row.track]?.first { found[$0].content.isSame(as: content) }
            guard let same else {
                places[row.track, default: []].append(found.count)
                found.append(DefinedTrack(number: row.track, content: content, objects: names))
                continue
            }
            let before = found[same]
            found[same] = DefinedTrack(
                number: row.track, content: before.content,
                objects: before.objects + names.filter { !before.objects.contains($0) })
        }
        tracks = found
        remarks = Self.levels(read) + definitions.levels(rows)
    }

    /// Returns the names of the objects that refer to each track, by the track's identifier.
    ///
    /// - Throws: `undefined` if an object refers to a track that `chna` does not contain.
    private static func objects(_ read: ModelDocument, _ rows: [TrackRow]) throws(ADMError) -> [String: [String]] {
        let known = Set(rows.map(\.uid))
        var names: [String: [String]] = [:]
        for id in read.objects {
            guard let object = read[.object, id] else { continue }
            // The identifier of zeros is a silent track that no file contains (BS.2076-2).
            for uid in object.references[.trackUID] ?? [] where uid != "ATU_00000000" {
                guard known.contains(uid) else { throw .undefined(uid, by: "its object \"\(object.name)\"") }
                if names[uid]?.contains(object.name) != true { names[uid, default: []].append(object.name) }
            }
        }
        return names
    }

    /// Returns the remarks on the levels of objects, which are not applied.
    private static func levels(_ read: ModelDocument) -> [String] {
        read.objects.compactMap { id in
            guard let object = read[.object, id] else { return nil }
            if object.isMute { return "\"\(object.name)\" is muted in the model, but is played" }
            guard let gain = object.gain, gain != 1 else { return nil }
            return "\"\(object.name)\" has a gain of \(gain.words) in the model; the gain is not applied"
        }
    }
}

extension DefinedTrack.Content {
    /// Whether the content is equal, except for names.
    func isSame(as other: DefinedTrack.Content) -> Bool {
        if case .loudspeaker(let first) = self, case .loudspeaker(let second) = other {
            return first.isSame(as: second)
        }
        return self == other
    }
}
