/// Bytes of a BW64, RF64 or WAVE file with an audio definition model, laid out by ITU-R BS.2088-1.
package struct ModelFile {
    /// A row of `chna`.
    package struct Row {
        /// Number of the track, from 1.
        package var track: Int
        /// Identifiers.
        package var uid: String, format: String, pack: String

        /// Makes a row. Without `uid` the identifier is made from the track's number.
        package init(_ track: Int, _ format: String, _ pack: String = "", uid: String? = nil) {
            self.track = track
            self.uid = uid ?? "ATU_" + ModelFile.hex(track)
            self.format = format
            self.pack = pack
        }
    }

    /// Identifier of the file's form, its first four bytes.
    package var form = "BW64"
    /// Samples, `[channel][frame]`, written in 32-bit floating point.
    package var channels: [[Float]]
    /// The content of `chna`; nil without one.
    package var allocation: [UInt8]?
    /// The content of `axml`; nil without one.
    package var document: [UInt8]?
    /// Further chunks.
    package var others: [(name: String, content: [UInt8])] = []

    /// Makes a file with this sound.
    package init(channels: [[Float]], rows: [Row]? = nil, document: String? = nil) {
        self.channels = channels
        allocation = rows.map { ModelFile.allocation($0) }
        self.document = document.map { Array($0.utf8) }
    }

    /// Makes a file of silence.
    package init(silent count: Int, rows: [Row]? = nil, document: String? = nil) {
        self.init(
            channels: [[Float]](repeating: [Float](repeating: 0, count: 480), count: count), rows: rows,
            document: document)
    }

    /// The content of a `chna` chunk.
    package static func allocation(_ rows: [Row]) -> [UInt8] {
        func field(_ text: String, _ size: Int) -> [UInt8] {
            Array(text.utf8.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - text.utf8.count))
        }
        var bytes = little(Set(rows.map(\.track)).count, 2) + little(rows.count, 2)
        for row in rows {
            bytes += little(row.track, 2) + field(row.uid, 12)
            bytes += field(row.format, 14) + field(row.pack, 11) + [0]
        }
        return bytes
    }

    /// Bytes of the whole file.
    package var bytes: [UInt8] {
        let count = channels.first?.count ?? 0
        var sound: [UInt8] = []
        sound.reserveCapacity(4 * count * channels.count)
        for frame in 0..<count {
            for channel in channels { withUnsafeBytes(of: channel[frame].bitPattern.littleEndian) { sound += $0 } }
        }
        let block = 4 * channels.count
        // WAVE_FORMAT_EXTENSIBLE without a mask, floating point.
        let guid: [UInt8] = [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        let numbers = [
            (0xFFFE, 2), (channels.count, 2), (48_000, 4), (48_000 * block, 4), (block, 2), (32, 2), (22, 2), (32, 2),
            (0, 4),
        ]
        let format = numbers.flatMap { Self.little($0.0, $0.1) } + guid
        var rest = Self.chunk("fmt ", format)
        if let allocation { rest += Self.chunk("chna", allocation) }
        rest += Self.chunk("data", sound)
        if let document { rest += Self.chunk("axml", document) }
        for (name, content) in others { rest += Self.chunk(name, content) }
        guard form != "RIFF" else {
            return Array("RIFF".utf8) + Self.little(rest.count + 4, 4) + Array("WAVE".utf8) + rest
        }
        let sizes = [(rest.count + 40, 8), (sound.count, 8), (count, 8), (0, 4)].flatMap { Self.little($0.0, $0.1) }
        let head: [UInt8] = Array(form.utf8) + [255, 255, 255, 255] + Array("WAVE".utf8)
        return head + Self.chunk("ds64", sizes) + rest
    }

    /// Returns the number as eight hexadecimal digits.
    package static func hex(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
