/// Names of a WAVE file's channels in the `iXML` chunk (version 1.61, TRACK_LIST), which production sound recorders and
/// editors use.
enum TrackNames {
    /// Returns the chunk's content, padded with spaces to a multiple of 32 bits. Names must consist of letters, digits
    /// and spaces.
    static func chunk(_ names: [String]) -> [UInt8] {
        let tracks = names.enumerated().map { index, name in
            "<TRACK><CHANNEL_INDEX>\(index + 1)</CHANNEL_INDEX><INTERLEAVE_INDEX>\(index + 1)</INTERLEAVE_INDEX>"
                + "<NAME>\(name)</NAME></TRACK>"
        }
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><BWFXML><IXML_VERSION>1.61</IXML_VERSION><TRACK_LIST>"
            + "<TRACK_COUNT>\(names.count)</TRACK_COUNT>\(tracks.joined())</TRACK_LIST></BWFXML>"
        let bytes = Array(text.utf8)
        return bytes + [UInt8](repeating: UInt8(ascii: " "), count: (4 - bytes.count % 4) % 4)
    }
}
