import CSndFile
import Glibc
import Signal
import Takes

/// A sound file being written under a temporary name beside its own; it appears under its own name only when complete.
///
/// `.wav` is 32-bit float unless asked otherwise, and becomes RF64 by itself beyond 4 GB. A file of its name is
/// replaced only where that is asked for, in one step when `finish` succeeds, and stays as it is when anything fails; a
/// symbolic link is followed (`OutputPlace`). A device or pipe is written directly. Dropping the writer without
/// `finish` removes the temporary file. One thread at a time; not for the audio thread.
///
/// A take is written otherwise (`asTake`): it cannot be made again. It grows as `NAME.part` (`TakeFile`), opens at any
/// time as far as `refreshHeader` has brought it, and is kept as far as it goes where the disk is full.
package final class SoundFileWriter {
    /// As it was named.
    package let path: String
    /// Channels.
    package let channelCount: Int
    /// Frames written so far.
    package internal(set) var frameCount = 0

    var file: OpaquePointer?
    /// Nil where the path itself is written.
    let temporaryPath: String?
    /// Where a take grows.
    let take: TakeFile?
    /// For the rest, which is removed where the program is left in haste.
    let unfinished: Int?
    let sampleRate: SampleRate
    /// The system took no more of a take.
    var isCutShort = false
    let place: OutputPlace
    let replaces: Bool
    /// Whether all is written, and the file has no name yet.
    var isUnnamed = false
    /// The container.
    package let format: SoundFileFormat
    let channelPositions: [UInt32]?
    /// Markers that are in a WAVE file when it is complete, and in a take that is an AIFF file.
    package var markers: [SoundFileMarker]
    let fieldOrder: Int?
    /// Whether the complete file has its markers.
    package internal(set) var hasKeptMarkers = false
    private let interleaved: UnsafeMutablePointer<Float>
    /// Makes whole numbers of up to 24 bits; nil for all else.
    private var quantiser: Quantiser?
    private static let chunkFrames = 4096

    /// Opens the temporary file.
    ///
    /// - Parameters:
    ///   - encoding: nil for the format's own: 32-bit float, in FLAC 24 bits.
    ///     Whole-number encodings clip at full scale.
    ///   - dither: how samples become whole numbers of up to 24 bits.
    ///   - channelPositions: WAVE bit of each channel, written into the header where the format has a place for it;
    ///     in WAV they must be in the order of their bits.
    ///   - fieldOrder: order of the sound field (ACN, SN3D) that the first channels are, 1…6; said in the header of
    ///     WAVE files.
    ///   - trackNames: names of the channels, said there too.
    ///   - format: nil for the one that the path's extension names.
    ///   - metadata: what the file says beside its sound, as far as its format has places for it.
    ///   - asTake: write it as a take.
    ///   - replaces: a file of its name is replaced when this one is complete; else that is an error.
    /// - Throws: `unknownFormat`, `unsupportedEncoding`, `noFolder`, `noPermission`, `notAFile`, `diskFull`,
    ///   `exists`; for a take `beingRecorded`, `cutOff`.
    package init(
        path: String, channels: Int, sampleRate: SampleRate, encoding: SampleEncoding? = nil,
        dither: Dither = .none, channelPositions: [UInt32]? = nil, fieldOrder: Int? = nil,
        trackNames: [String] = [],
        format: SoundFileFormat? = nil,
        metadata: SoundFileMetadata = SoundFileMetadata(), asTake: Bool = false, replaces: Bool = false
    ) throws(SoundFileError) {
        guard path != "-" else { throw .standardStream }
        guard let format = format ?? SoundFileFormat(path: path) else {
            throw .unknownFormat(path: path, known: SoundFileFormat.extensions)
        }
        let encoding = encoding ?? format.defaultEncoding
        var info = SF_INFO()
        info.channels = Int32(channels)
        info.samplerate = Int32(sampleRate.hertz.rounded())
        info.format = Int32(format.container | encoding.subtype(in: format))
        guard sf_format_check(&info) == SF_TRUE else {
            throw .unsupportedEncoding(
                path: path, format: "\(format.rawValue) (--bits \(encoding.rawValue))",
                reason: format.refusal(of: encoding) ?? "not for \(channels) channels at \(sampleRate)")
        }
        let target = try SoundFileTarget(path, asTake: asTake, replaces: replaces)
        (take, temporaryPath) = (target.take, target.temporaryPath)
        errno = 0
        guard let file = sf_open_fd(target.descriptor, Int32(SFM_WRITE), &info, 1) else {
            let code = errno
            if let temporaryPath, take == nil { unlink(temporaryPath) }
            if code != 0 { throw .from(errno: code, path: path) }
            throw .unsupportedEncoding(
                path: path, format: format.rawValue, reason: String(cString: sf_strerror(nil)))
        }
        (self.path, place, self.replaces) = (path, target.place, replaces)
        self.file = file
        self.sampleRate = sampleRate
        unfinished = take == nil ? temporaryPath.map { path in Unfinished.add { unlink(path) } } : nil
        (self.channelPositions, self.fieldOrder) = (channelPositions, fieldOrder)
        self.format = format
        markers = metadata.markers
        channelCount = channels
        interleaved = .allocate(capacity: Self.chunkFrames * channels)
        quantiser = encoding.bits.flatMap { $0 <= 24 ? Quantiser(dither, bits: $0, channels: channels) : nil }
        if format == .wav { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1) }
        // The PEAK chunk carries the time of day: without it equal sound makes equal files.
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
        metadata.write(to: file, format: format)
        if format.isWave, !trackNames.isEmpty { HeaderChunk.add("iXML", TrackNames.chunk(trackNames), to: file) }
        if let toldField { AllocationChunk.write(fieldOfOrder: toldField, to: file) }
        if let channelPositions, !format.isWave, format != .caf, channelPositions.count == channels {
            var map = channelPositions.compactMap { ChannelPositions.names[$0] }
            if map.count == channels {
                let size = Int32(channels * MemoryLayout<Int32>.size)
                sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, size)
            }
        }
        // A disk that has no room for a header is full before anything is recorded.
        if take != nil, format != .flac {
            errno = 0
            refreshHeader()
            if sf_error(file) != SF_ERR_NO_ERROR { throw fail(errno) }
        }
    }

    deinit {
        discard()
        interleaved.deallocate()
    }

    /// Appends `frames` frames of channels of `block`, of its first unless said, from frame `offset` on.
    ///
    /// - Throws: `diskFull` where the system takes fewer; the temporary file is then removed.
    package func write(
        _ block: borrowing PlanarBlock, firstChannel: Int = 0, from offset: Int = 0, frames: Int
    ) throws(SoundFileError) {
        precondition(block.channelCount >= firstChannel + channelCount && offset + frames <= block.frameCapacity)
        var done = 0
        while done < frames {
            let count = min(Self.chunkFrames, frames - done)
            for channel in 0..<channelCount {
                let source = block[firstChannel + channel] + offset + done
                var target = interleaved + channel
                for i in 0..<count {
                    target.pointee = source[i]
                    target += channelCount
                }
            }
            try writeChunk(count)
            done += count
        }
    }

    /// Appends interleaved frames.
    package func write(interleaved samples: UnsafePointer<Float>, frames: Int) throws(SoundFileError) {
        guard quantiser != nil else { return try append(samples, frames) }
        var done = 0
        while done < frames {
            let count = min(Self.chunkFrames, frames - done)
            Samples.copy(samples + done * channelCount, to: interleaved, count: count * channelCount)
            try writeChunk(count)
            done += count
        }
    }

    /// Appends the first frames of `interleaved`.
    private func writeChunk(_ frames: Int) throws(SoundFileError) {
        quantiser?.apply(interleaved, frames: frames)
        try append(interleaved, frames)
    }

    private func append(_ samples: UnsafePointer<Float>, _ frames: Int) throws(SoundFileError) {
        guard let file else { throw .cancelled }
        errno = 0
        let written = Int(sf_writef_float(file, samples, sf_count_t(frames)))
        frameCount += written
        guard written == frames else { throw take == nil ? fail(errno) : cut(errno) }
    }

    /// Has the header of a take say what has been written so far: 100 bytes or so, whatever the length. Whole frames in
    /// WAV, RF64, BW64, W64, CAF and AIFF; in FLAC whole blocks, which the encoder holds back until they are full (4096
    /// frames).
    package func refreshHeader() {
        guard let file, let take else { return }
        if format == .flac {
            refreshLength(take)
        } else {
            sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        }
    }

    /// Writes the length of a FLAC stream into its header: as many blocks as are full, but for one frame that libFLAC
    /// waits for.
    private func refreshLength(_ take: TakeFile) {
        guard frameCount > 0, let block = FLACStream.blockFrames(take.descriptor) else { return }
        _ = FLACStream.setLength((frameCount - 1) / block * block, take.descriptor)
    }

    /// Has what was written so far brought to the disk, on the calling thread; until then a power failure may take it.
    /// It may take seconds, and may be called on any thread while others write.
    package static func bringToDisk(_ descriptor: Int32) { _ = fdatasync(descriptor) }

    /// Where a take is until it is complete.
    var takePath: String { take?.temporaryPath ?? path }

    /// A descriptor of a take for `bringToDisk`, to be closed by the caller; nil where there is none.
    package var descriptorForDisk: Int32? {
        guard let take, file != nil else { return nil }
        let descriptor = fcntl(take.descriptor, F_DUPFD_CLOEXEC, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Notes that the system takes no more of a take; `finish` keeps what was written.
    func cut(_ code: Int32) -> SoundFileError {
        isCutShort = true
        return .stopped(
            path: path, frames: frameCount, seconds: self.sampleRate.seconds(frames: frameCount),
            reason: code != 0 ? String(cString: strerror(code)) : "the file could not be written")
    }

    /// Has a take end with an earlier frame than the last that was written: `finish` cuts it there, and keeps no
    /// markers in it, as where the disk was full.
    package func cut(to frames: Int) {
        guard take != nil, frames < frameCount else { return }
        frameCount = max(0, frames)
        isCutShort = true
    }
}
