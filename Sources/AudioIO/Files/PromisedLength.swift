/// Length of the sound that a file's header declares, for uncompressed samples.
enum PromisedLength {
    /// Returns the number of frames that a RIFF, RIFX, RF64, BW64, AIFF or CAF header declares. If a WAVE or CAF header
    /// declares no length (`isUnended`, or −1 in CAF), returns the number of frames up to the file's end. Returns nil
    /// if the sound or its format is missing, for compressed WAVE or CAF, and for a plain WAVE file (RIFF or RIFX)
    /// whose sound has, by the header, 7FFFF000₁₆ bytes (2 GB) or more.
    static func frames(_ file: FileChunks, descriptor: Int32) -> Int? {
        switch file.container {
        case .riff, .rifx, .rf64, .bw64: wave(file, descriptor)
        case .aiff: aiff(file, descriptor)
        case .caf: caf(file, descriptor)
        }
    }

    private static func wave(_ file: FileChunks, _ descriptor: Int32) -> Int? {
        guard let data = file["data"], let format = file["fmt "],
            let bytes = file.content(format, limit: 16, descriptor: descriptor), bytes.count == 16
        else { return nil }
        // In these encodings (integer, floating-point, extensible) a block is a frame. In compressed encodings a block
        // may contain many frames.
        guard [1, 3, 0xFFFE].contains(file.number(bytes[0..<2])) else { return nil }
        let block = Int(file.number(bytes[12..<14]))
        // A program that writes to a pipe cannot know the size. It writes 0, or 7FFFF000₁₆ or more. A declared size of
        // 7FFFF000₁₆ or more in a plain WAVE file is therefore not used. If `isUnended`, `data.size` is not the
        // declared size but the rest of the file, and is used.
        guard block > 0, data.size > 0, file.container.isLong || file.isUnended || data.size < 0x7FFF_F000 else {
            return nil
        }
        return data.size / block
    }

    private static func aiff(_ file: FileChunks, _ descriptor: Int32) -> Int? {
        guard let common = file["COMM"], let bytes = file.content(common, limit: 8, descriptor: descriptor),
            bytes.count == 8
        else { return nil }
        return Int(file.number(bytes[2..<6]))
    }

    private static func caf(_ file: FileChunks, _ descriptor: Int32) -> Int? {
        guard let data = file["data"], let description = file["desc"],
            let bytes = file.content(description, limit: 32, descriptor: descriptor), bytes.count == 32,
            String(decoding: bytes[8..<12], as: UTF8.self) == "lpcm"
        else { return nil }
        let packet = Int(file.number(bytes[16..<20]))
        // The first four bytes of the chunk are an edit count.
        return packet > 0 && data.size > 4 ? (data.size - 4) / packet : nil
    }
}

extension SoundContainer {
    /// Whether sizes have 64 bits.
    var isLong: Bool { self == .rf64 || self == .bw64 || self == .caf }
}
