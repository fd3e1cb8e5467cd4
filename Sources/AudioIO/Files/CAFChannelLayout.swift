import Glibc

/// The channel layout chunk of a CAF file. libsndfile 1.2.0 supports only some layout tags and loses all others.
///
/// Source: Apple, "Core Audio Format Specification 1.0", Channel Layout Chunk; labels from CoreAudioBaseTypes.h. The
/// labels 1…18 are the bits of WAVE's channel mask, in order.
enum CAFChannelLayout {
    /// Layout tags for "channel descriptions follow" and "channel bitmap follows".
    private static let described: UInt64 = 0, bitmap: UInt64 = 0x10000
    /// WAVE bits of labels above 18: rear surrounds, wides, top middles, top rears.
    private static let further: [UInt64: UInt32] = [
        33: 0x10, 34: 0x20, 35: 0x40, 36: 0x80, 49: 0x4_0000, 51: 0x8_0000, 52: 0x8000, 53: 0x1_0000, 54: 0x2_0000,
    ]

    /// Returns the position of each channel as bits of WAVE's mask. Returns nil if the file has no such chunk, or if
    /// the chunk has another form or number of channels, an unknown position or a repeated one.
    static func read(_ file: FileChunks, channels: Int, descriptor: Int32) -> [UInt32]? {
        guard file.container == .caf, let chunk = file["chan"],
            let bytes = file.content(chunk, limit: 12 + 20 * channels, descriptor: descriptor), bytes.count >= 12
        else { return nil }
        let tag = file.number(bytes[0..<4])
        var positions: [UInt32] = []
        if tag == bitmap {
            let mask = UInt32(truncatingIfNeeded: file.number(bytes[4..<8]))
            positions = (0..<32).map { 1 << $0 }.filter { mask & $0 != 0 }
        } else if tag == described, Int(file.number(bytes[8..<12])) == channels, bytes.count == 12 + 20 * channels {
            for channel in 0..<channels {
                let label = file.number(bytes[(12 + 20 * channel)..<(16 + 20 * channel)])
                guard let position = (1...18).contains(label) ? 1 << UInt32(label - 1) : further[label] else {
                    return nil
                }
                positions.append(position)
            }
        }
        return positions.count == channels && Set(positions).count == channels ? positions : nil
    }

    /// Appends the chunk to a finished file. Returns false if the write fails.
    static func append(_ positions: [UInt32], descriptor: Int32) -> Bool {
        var content: [UInt8] = []
        func add(_ number: UInt32) { content += withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        add(UInt32(described))
        add(0)
        add(UInt32(positions.count))
        for position in positions {
            // The top sides of 9.1.6 use bits that WAVE reserves; in CAF they have labels.
            add(position == 0x4_0000 ? 49 : position == 0x8_0000 ? 51 : UInt32(position.trailingZeroBitCount + 1))
            for _ in 0..<4 { add(0) }
        }
        let size = UInt64(content.count).bigEndian
        let chunk = Array("chan".utf8) + withUnsafeBytes(of: size) { Array($0) } + content
        let end = lseek(descriptor, 0, SEEK_END)
        return end > 0 && pwrite(descriptor, chunk, chunk.count, end) == chunk.count
    }
}
