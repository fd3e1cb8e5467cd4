import Glibc

/// Formats that ffmpeg can read and libsndfile cannot. They are recognised by their first bytes.
enum ForeignFormat {
    /// Formats by their first four letters. Sources: WavPack 4 & 5 Binary File Format, 2.0; DSF File Format
    /// Specification 1.01; DSDIFF 1.5, 3.1; True Audio and Monkey's Audio as in ffmpeg.
    private static let names = [
        "wvpk": "WavPack", "DSD ": "DSF", "FRM8": "DSDIFF", "TTA1": "True Audio", "MAC ": "Monkey's Audio",
    ]

    /// Returns the common name of a file's format; nil if the file has none of these formats.
    ///
    /// Sources: AC-3 and E-AC-3, sync word and bit stream identification (ETSI TS 102 366, 4.4.1 and E.1.3.1); TrueHD,
    /// its major sync after four bytes (Dolby TrueHD (MLP) high-level bitstream description, 2018); DTS, ETSI TS 102
    /// 114, 5.3.1; MP4, ISO/IEC 14496-12, 4.3; Matroska, RFC 8794, 11.2.4; ADTS, ISO/IEC 13818-7, 6.2.
    static func name(descriptor: Int32) -> String? {
        guard let head = FileChunks.bytes(descriptor, at: 0, count: 12) else { return nil }
        switch (head[0], head[1], head[2], head[3]) {
        case (0x0B, 0x77, _, _):
            // In both formats the version is in the upper five bits of the sixth byte. E-AC-3 has its frame size where
            // AC-3 has a checksum.
            return head[5] >> 3 > 10 ? "E-AC-3" : "AC-3"
        case (0x7F, 0xFE, 0x80, 0x01): return "DTS"
        case (0x1A, 0x45, 0xDF, 0xA3): return "Matroska or WebM"
        // Advanced Systems Format: first bytes of the header object.
        case (0x30, 0x26, 0xB2, 0x75): return "Windows Media (ASF)"
        case (0xFF, let second, _, _) where second & 0xF6 == 0xF0: return "AAC (ADTS)"
        default: break
        }
        if head[4...7].elementsEqual([0xF8, 0x72, 0x6F, 0xBA]) { return "TrueHD" }
        if head[4...7].elementsEqual("ftyp".utf8) { return "MP4" }
        return names[String(decoding: head[..<4], as: UTF8.self)]
    }
}
