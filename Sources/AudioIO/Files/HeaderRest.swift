import Glibc

/// What libsndfile does not write of a file, added when it is complete: WAVE's channel mask, CAF's channel layout,
/// markers, BW64's name.
struct HeaderRest {
    /// Where the system took no more: its error number, 0 where it gave none.
    struct Failure: Error { let code: Int32 }

    let format: SoundFileFormat
    /// WAVE bit of each channel; nil where none is known.
    let channelPositions: [UInt32]?
    let channelCount: Int
    let markers: [SoundFileMarker]
    /// Whether the file cannot be made again: it then goes without markers where there is no room for them.
    let isTake: Bool

    /// Bits of CAF's layout, where there is one for each channel.
    private var layout: [UInt32]? {
        format == .caf && channelPositions?.count == channelCount ? channelPositions : nil
    }
    private var hasMask: Bool { format.isWave && (channelPositions != nil || channelCount > 2) }
    private var hasMarkers: Bool { (format.isWave || format == .aiff && isTake) && !markers.isEmpty }

    /// Whether there is nothing to add.
    var isEmpty: Bool { !format.isWave && !hasMarkers && layout == nil }

    /// Adds all of it; not for the audio thread.
    ///
    /// - Returns: whether the file has its markers now.
    func write(to path: String) throws(Failure) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var (done, isMarked) = (true, false)
        if hasMask {
            done = ChannelPositions.writeWaveMask(channelPositions, channels: channelCount, descriptor: descriptor)
        }
        if done, format.isWave { done = Self.forgetTime(descriptor) }
        if done, hasMarkers { (done, isMarked) = mark(descriptor) }
        if done, let layout { done = CAFChannelLayout.append(layout, descriptor: descriptor) }
        if done, format == .bw64 { done = pwrite(descriptor, "BW64", 4, 0) == 4 }
        let code = errno
        close(descriptor)
        if !done { throw Failure(code: code) }
        return isMarked
    }

    /// Sets to 0 the time of day that libsndfile puts into a PEAK chunk, so that equal sound makes equal files: 1.2.0
    /// cannot leave out that chunk of a file that was opened as RF64.
    static func forgetTime(_ descriptor: Int32) -> Bool {
        guard let peak = FileChunks(descriptor: descriptor)?["PEAK"], peak.size >= 8 else { return true }
        return pwrite(descriptor, [0, 0, 0, 0], 4, off_t(peak.offset + 4)) == 4
    }

    /// Appends the markers: whether the file is sound, and whether it has them.
    private func mark(_ descriptor: Int32) -> (done: Bool, isMarked: Bool) {
        let size = lseek(descriptor, 0, SEEK_END)
        let append = format == .aiff ? MarkChunk.append : CueChunk.append
        let isMarked = append(markers, descriptor) && lseek(descriptor, 0, SEEK_END) > size
        return (isMarked || isTake && ftruncate(descriptor, size) == 0, isMarked)
    }
}
