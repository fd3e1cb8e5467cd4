import Glibc

/// Header data that libsndfile does not write, or not as intended, and that are set in the complete file: WAVE's
/// channel mask, CAF's channel layout, markers, BW64's name, B-format's sub-format, and the time in the PEAK chunk.
struct HeaderRest {
    /// A write that failed. `code` is the system's error number; 0 if the system gave none.
    struct Failure: Error { let code: Int32 }

    let format: SoundFileFormat
    /// WAVE bit of each channel; nil if unknown.
    let channelPositions: [UInt32]?
    let channelCount: Int
    let markers: [SoundFileMarker]
    /// Whether the file is a take, which cannot be recorded again. If its markers cannot be written, the take is kept
    /// without markers.
    let isTake: Bool

    /// Positions for CAF's channel layout; nil for other formats, or unless every channel has a position.
    private var layout: [UInt32]? {
        format == .caf && channelPositions?.count == channelCount ? channelPositions : nil
    }
    private var hasMask: Bool { format.isWave && (channelPositions != nil || channelCount > 2) }
    private var hasMarkers: Bool { (format.isWave || format == .aiff && isTake) && !markers.isEmpty }

    /// Whether `write` has nothing to do. It is false for every WAVE file.
    var isEmpty: Bool { !format.isWave && !hasMarkers && layout == nil }

    /// Adds all data. Must not be called on the audio thread.
    ///
    /// - Returns: Whether the file contains its markers.
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
        if done, format == .amb { done = BFormat.declare(descriptor) }
        if done, format == .bw64 { done = pwrite(descriptor, "BW64", 4, 0) == 4 }
        let code = errno
        close(descriptor)
        if !done { throw Failure(code: code) }
        return isMarked
    }

    /// Sets the time of day in libsndfile's PEAK chunk to 0, so that equal sound gives equal files. libsndfile 1.2.0
    /// cannot omit the chunk in a file that is opened as RF64. Returns false on failure.
    static func forgetTime(_ descriptor: Int32) -> Bool {
        guard let peak = FileChunks(descriptor: descriptor)?["PEAK"], peak.size >= 8 else { return true }
        return pwrite(descriptor, [0, 0, 0, 0], 4, off_t(peak.offset + 4)) == 4
    }

    /// Appends the markers. Returns whether the file may be kept, and whether it has the markers.
    private func mark(_ descriptor: Int32) -> (done: Bool, isMarked: Bool) {
        let size = lseek(descriptor, 0, SEEK_END)
        let append = format == .aiff ? MarkChunk.append : CueChunk.append
        // `CueChunk.append` succeeds without writing if the file would exceed 4 GB; the file is then complete without
        // its markers.
        let isComplete = append(markers, descriptor)
        let isMarked = isComplete && lseek(descriptor, 0, SEEK_END) > size
        return (isComplete || isTake && ftruncate(descriptor, size) == 0, isMarked)
    }
}
