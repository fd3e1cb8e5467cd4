/// Reason why a file's audio definition model cannot be used. Every description gives the fault and its position; the
/// caller adds the name of the file.
package enum ADMError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `chna` chunk ends before its last row. It has `bytes` bytes and states `rows` rows; `rows` is 0 if the
    /// chunk's header is incomplete.
    case shortAllocation(bytes: Int, rows: Int)
    /// The number of a track in `chna` exceeds `count`, the number of the file's channels. Tracks are numbered from 1.
    case noSuchTrack(Int, uid: String, count: Int)
    /// The `axml` chunk has `bytes` bytes, more than `AudioModel.largestDocument`.
    case tooLarge(bytes: Int)
    /// The `axml` chunk reaches beyond the file's end.
    case cutOff
    /// The model is in a `bxml` chunk, compressed.
    case compressed
    /// The `axml` chunk is not well-formed XML, or expat has too little memory. `reason` is the cause.
    case notXML(line: Int, reason: String)
    /// The XML declares a document type, which could define entities that expand without bound.
    case documentType
    /// Elements are nested deeper than this limit, which no model reaches.
    case tooDeep(Int)
    /// The model has more elements and references than this limit.
    case tooMany(Int)
    /// Elements refer to one another in a cycle.
    case circle([String])
    /// A reference leads to an element that neither the file nor BS.2094 defines, or a required reference is missing.
    case undefined(String, by: String)
    /// `chna` and `axml` contradict each other about a track.
    case contradiction(uid: String, first: String, second: String)
    /// A loudspeaker has no position: neither a known label nor valid angles.
    case noPlace(name: String, id: String, labels: [String])
    /// A loudspeaker moves.
    case moves(name: String, id: String)
    /// A channel of a sound field has no valid order or degree, or an unknown normalisation.
    case noHarmonic(name: String, id: String)

    /// Description of the fault, for a message that begins with the file's name.
    package var description: String {
        switch self {
        case .shortAllocation(let bytes, let rows):
            "its chna chunk has \(bytes) bytes, too few for the \(rows) rows that it states"
        case .noSuchTrack(let track, let uid, let count):
            "its chna chunk contains track \(track) (\(uid)), but the file has only \(count) tracks"
        case .tooLarge(let bytes):
            "its axml chunk has \(bytes) bytes; up to \(AudioModel.largestDocument >> 20) MB are read"
        case .cutOff: "its axml chunk reaches beyond the file's end"
        case .compressed: "its model is compressed (bxml), which is not read here"
        case .notXML(let line, let reason): "its axml chunk is not valid XML: line \(line): \(reason)"
        case .documentType: "its axml chunk declares a document type (DOCTYPE), which is not accepted"
        case .tooDeep(let depth):
            "its axml chunk has elements nested more than \(depth) levels deep, which is not accepted"
        case .tooMany(let count): "its axml chunk has more than \(count) elements and references"
        case .circle(let names): "its axml chunk has a cycle of references: \(names.joined(separator: " to "))"
        case .undefined(let id, let by):
            "\(by) refers to \(id), which neither its axml chunk nor the common definitions (ITU-R BS.2094) define"
        case .contradiction(let uid, let first, let second):
            "according to its chna chunk, \(uid) is \(first); according to its axml chunk, it is \(second)"
        case .noPlace(let name, let id, let labels):
            "its loudspeaker \"\(name)\" (\(id)) has no azimuth"
                + (labels.isEmpty
                    ? " and no label" : " and a label that is not known: \(labels.prefix(3).joined(separator: ", "))")
        case .moves(let name, let id): "its loudspeaker \"\(name)\" (\(id)) moves"
        case .noHarmonic(let name, let id):
            "its channel \"\(name)\" (\(id)) belongs to a sound field, and its order, degree or normalisation is "
                + "missing or not valid"
        }
    }
}
