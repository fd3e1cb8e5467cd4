/// Container of a sound file whose chunks can be parsed.
enum SoundContainer: Equatable { case riff, rifx, rf64, bw64, aiff, caf }

/// Size of the chunk that holds a file's sound, for headers that leave it open.
struct SoundSize {
    /// Container of the file.
    let container: SoundContainer
    /// Bytes after the first eight of a RIFF file, as in its header (in RF64 and BW64: in `ds64`).
    var whole: Int
    /// Size of the sound in `ds64`; nil without one.
    var sound: Int?

    init(container: SoundContainer, whole: Int) { (self.container, self.whole) = (container, whole) }

    /// Returns the size in bytes, and whether the header declares none, so that the sound extends to the file's end.
    ///
    /// RF64 and BW64 (EBU Tech 3306, BS.2088): the size in `ds64` counts; the chunk's 32-bit size should be 2³² − 1,
    /// but differs in some files, and counts only if `ds64` has 0. CAF: −1 means up to the file's end. A size of 0 is
    /// undeclared if bytes follow; in the RIFF family only if also the header's total size ends before the sound or
    /// after the file's end, as a file without sound may have further chunks.
    ///
    /// - Parameters:
    ///   - stated: size in the chunk's header.
    ///   - offset: offset of the chunk's content.
    func size(stated: Int, at offset: Int, fileSize: Int) -> (bytes: Int, isUnended: Bool) {
        let room = fileSize - offset
        switch container {
        case .riff, .rifx:
            return stated == 0 && room > 0 && !isWithin(offset, fileSize) ? (room, true) : (stated, false)
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

    /// Returns whether libsndfile reads another size than `bytes` from a chunk's size `stated`: in RF64 and BW64 it
    /// uses `ds64` only, AIFF it reads to the end, and in CAF it refuses −1.
    func hidesLength(_ bytes: Int, stated: Int) -> Bool {
        switch container {
        case .riff, .rifx, .caf: bytes != stated
        case .rf64, .bw64: sound == 0 && bytes > 0
        case .aiff: false
        }
    }

    /// Returns whether the header's total size ends after an offset and within the file.
    private func isWithin(_ offset: Int, _ fileSize: Int) -> Bool {
        whole > offset - 8 && whole <= fileSize - 8
    }
}
