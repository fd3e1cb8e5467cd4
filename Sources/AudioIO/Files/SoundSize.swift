/// What kind of container a sound file is whose chunks can be walked.
enum SoundContainer: Equatable { case riff, rifx, rf64, bw64, aiff, caf }

/// The size of the chunk that holds a file's sound, where the header leaves open what it is.
struct SoundSize {
    /// What kind of file it is.
    let container: SoundContainer
    /// Bytes behind the first eight of a RIFF file, as its header (of RF64 and BW64: `ds64`) has them.
    var whole: Int
    /// The size of the sound that `ds64` has; nil without one.
    var sound: Int?

    init(container: SoundContainer, whole: Int) { (self.container, self.whole) = (container, whole) }

    /// The size in bytes, and whether the header gives none, so that it is what the file has from there on.
    ///
    /// RF64 and BW64 (EBU Tech 3306, BS.2088): the size in `ds64` counts, whatever 32-bit size stands in the chunk,
    /// which should be 2³² − 1 and is another in some files; the 32-bit size counts where `ds64` has 0. CAF: −1 is up
    /// to the end. A size of 0 is no size where the header also says that the whole file ends before the sound begins,
    /// or behind the file's end; a file without sound may have other chunks behind.
    ///
    /// - Parameters:
    ///   - stated: the size in the chunk's head.
    ///   - offset: where the chunk's content begins.
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

    /// Whether libsndfile finds another size than `bytes` where the chunk's head has `stated`: of RF64 and BW64 it goes
    /// by `ds64` alone, AIFF it reads to the end, and of CAF it refuses −1.
    func hidesLength(_ bytes: Int, stated: Int) -> Bool {
        switch container {
        case .riff, .rifx, .caf: bytes != stated
        case .rf64, .bw64: sound == 0 && bytes > 0
        case .aiff: false
        }
    }

    /// Whether the header's own size of the whole reaches behind a place and not behind the file's end.
    private func isWithin(_ offset: Int, _ fileSize: Int) -> Bool {
        whole > offset - 8 && whole <= fileSize - 8
    }
}
