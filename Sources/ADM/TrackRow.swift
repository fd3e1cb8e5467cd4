/// Row of the `chna` chunk (ITU-R BS.2088-1): definition of a track. A track may have several rows.
struct TrackRow: Hashable {
    /// Number of the track, from 1.
    let track: Int
    /// Identifier of the audioTrackUID, such as `ATU_00000001`.
    let uid: String
    /// Identifier of an audioTrackFormat, `AT_00010001_01`, or audioChannelFormat, `AC_00010001`; empty without one.
    let format: String
    /// Identifier of the audioPackFormat, such as `AP_00010003`; empty without one.
    let pack: String

    /// Size of a row, bytes.
    static let size = 40

    /// Returns the used rows of a chunk, with identifiers in upper case. Rows with the track number 0 are unused.
    ///
    /// - Parameter bytes: content of the chunk, little-endian as all of WAVE.
    /// - Throws: `shortAllocation` if the chunk is shorter than its header and the rows that it states.
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

    /// Returns the leading letters, digits and `_` in upper case: fields are padded with zeros or spaces.
    private static func identifier(_ bytes: ArraySlice<UInt8>) -> String {
        let known = bytes.prefix { UInt8(ascii: "_") == $0 || Character(UnicodeScalar($0)).isASCIIWord }
        return String(decoding: known, as: UTF8.self).uppercased()
    }
}

extension Character {
    /// Whether the character is an ASCII letter or digit.
    fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
