/// Container of a sound file whose chunks can be parsed.
enum SoundContainer: Equatable { case riff, rifx, rf64, bw64, aiff, caf }

/// Size of the chunk with a file's sound, for headers that may not declare it.
struct SoundSize {
    /// Sizes of sound that programs state before they know the length.
    private static let placeholders = 0x7FFF_0000...0x7FFF_FFFF

    let container: SoundContainer
    /// Number of bytes after the first eight of a RIFF file, as the header declares it (in RF64 and BW64 in `ds64`).
    var whole: Int
    /// Size of the sound that `ds64` declares; nil without `ds64`.
    var sound: Int?

    init(container: SoundContainer, whole: Int) { (self.container, self.whole) = (container, whole) }

    /// Returns the size of the sound, bytes, and whether the header declares no size, so that the sound extends to the
    /// file's end.
    ///
    /// RF64 and BW64 (EBU Tech 3306, BS.2088): the size in `ds64` is valid. The chunk's 32-bit size should be 2³² − 1,
    /// but differs in some files; it is valid only if the size in `ds64` is 0. CAF: −1 means up to the file's end.
    ///
    /// A size of 0 counts as undeclared if bytes follow. In the RIFF family the file's end by the header's total size
    /// must also lie before the sound or after the true end, because a file without sound may have further chunks.
    ///
    /// In RIFF and RIFX a size in `placeholders` also counts as undeclared, unless the sound ends at the file's end by
    /// this size, or the file by the header's total size. Programs write such a size into a pipe: sox 7FFFF000₁₆ and
    /// arecord 7FFFFF00₁₆, both rounded down to whole frames.
    ///
    /// - Parameters:
    ///   - stated: Size in the chunk's header.
    ///   - offset: Offset of the chunk's content.
    func size(stated: Int, at offset: Int, fileSize: Int) -> (bytes: Int, isUnended: Bool) {
        let room = fileSize - offset
        switch container {
        case .riff, .rifx:
            let isPlaceholder = Self.placeholders.contains(stated) && stated != room && whole != fileSize - 8
            let isMissing = isPlaceholder || stated == 0 && !isWithin(offset, fileSize)
            return isMissing && room > 0 ? (room, true) : (stated, false)
        case .rf64, .bw64:
            guard let sound else { return (stated, false) }
            if sound != 0 { return (sound, false) }
            if stated != 0, stated != 0xFFFF_FFFF { return (stated, false) }
            return room > 0 && !isWithin(offset, fileSize) ? (room, true) : (0, false)
        case .aiff: return stated == 0 && room > 0 ? (room, true) : (stated, false)
        case .caf:
            if stated == -1 { return (room, false) }
            return stated == 0 && room > 0 ? (room, true) : (stated, false)
        }
    }

    /// Returns whether libsndfile reads another size than `bytes` from a chunk's size `stated`. In RF64 and BW64
    /// libsndfile uses only `ds64`. In AIFF it reads to the file's end. In CAF it refuses −1.
    func hidesLength(_ bytes: Int, stated: Int) -> Bool {
        switch container {
        case .riff, .rifx, .caf: bytes != stated
        case .rf64, .bw64: sound == 0 && bytes > 0
        case .aiff: false
        }
    }

    /// Returns whether the file ends, by the header's total size, after an offset and not after its true end.
    private func isWithin(_ offset: Int, _ fileSize: Int) -> Bool {
        whole > offset - 8 && whole <= fileSize - 8
    }
}
