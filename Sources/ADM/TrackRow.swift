/// One row of the `chna` chunk (ITU-R BS.2088-1): what a track of the file is. A track may have several rows.
struct TrackRow: Hashable {
    /// Counts from 1.
    let track: Int
    /// `ATU_00000001`.
    let uid: String
    /// An audioTrackFormat, `AT_00010001_01`, or an audioChannelFormat, `AC_00010001`; empty where the row has none.
    let format: String
    /// `AP_00010003`; empty where the row has none.
    let pack: String

    /// Bytes of a row.
    static let size = 40

    /// The rows of a chunk that are in use, identifiers in capitals; those for track 0 are room left free.
    ///
    /// - Parameter bytes: the chunk's content, little-endian as all of WAVE.
    /// - Throws: `shortAllocation`.
    static func rows(_ bytes: [UInt8]) throws(ADMError) -> [TrackRow] {
        func number(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
        guard bytes.count >= 4 else { throw .shortAllocation(bytes: bytes.count, rows: 0) }
        let count = number(2)
        guard bytes.count >= 4 + count * size else { throw .shortAllocation(bytes: bytes.count, rows: count) }
        return (0..<count).compactMap { row in
            let start = 4 + row * size
            func text(_ from: Int, _ length: Int) -> String {
                identifier(bytes[(start + from)..<(start + from + length)])
            }
            let track = number(start)
            return track == 0
                ? nil : TrackRow(track: track, uid: text(2, 12), format: text(14, 14), pack: text(28, 11))
        }
    }

    /// Letters, digits and `_` in capitals, up to the first that is none: fields are filled up with zeros or spaces.
    private static func identifier(_ bytes: ArraySlice<UInt8>) -> String {
        let known = bytes.prefix { UInt8(ascii: "_") == $0 || Character(UnicodeScalar($0)).isASCIIWord }
        return String(decoding: known, as: UTF8.self).uppercased()
    }
}

extension Character {
    /// A letter or digit of ASCII.
    fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
