import CSndFile
import Glibc
import Signal
import Takes

/// Sound file that is written under a temporary name beside its final path. It gets its name only when it is complete.
///
/// `.wav` is 32-bit floating point by default, and becomes RF64 above 4 GB. An existing file is replaced only on
/// request, atomically when `finish` succeeds. After a failure the existing file stays as it is. A symbolic link is
/// followed (`OutputPlace`). A pipe gets the complete file (`StandardStream`); a device is written directly. Dropping
/// the writer without `finish` removes the temporary file. May be used by one thread at a time, not by the audio
/// thread.
///
/// A take (`asTake`) is handled differently, because it cannot be repeated. It grows as `NAME.part` (`TakeFile`), and
/// is readable at any time up to the last `refreshHeader`. If the disk is full, it is kept up to that point.
package final class SoundFileWriter {
    /// Path, as the caller gave it.
    package let path: String
    /// Frames written so far.
    package internal(set) var frameCount = 0
    /// What the header declares beside encoding and length.
    package var header: WrittenHeader

    var file: OpaquePointer?
    /// Destination of the file.
    var target: SoundFileTarget
    let sampleRate: SampleRate
    /// Whether a write to a take has failed, or the take has to end at an earlier frame.
    var isCutShort = false
    private var chunk: InterleavedChunk
    /// Largest number of frames that the file can hold. Sizes in AIFF have 32 bits, and would wrap without an error.
    let mostFrames: Int
    /// Bytes of an AIFF file that are reserved for its header and its markers.
    private static let aiffRest = 1 << 20

    /// Opens the temporary file.
    ///
    /// - Parameters:
    ///   - path: `-` for standard output, to which the complete file is copied. Not for a take.
    ///   - encoding: Nil uses the format's default: 24 bits in FLAC, otherwise 32-bit floating point. Integer encodings
    ///     clip at full scale.
    ///   - dither: Method of rounding to integers of up to 24 bits.
    ///   - channelPositions: WAVE bit of each channel. They are written into the header if the format supports it. In
    ///     WAV they must be in the order of their bits.
    ///   - fieldOrder: Order of the sound field (ACN, SN3D) in the first channels, 1…6. It is declared in the header of
    ///     WAVE files.
    ///   - isBFormat: Whether the channels are a sound field in Furse-Malham's order and scale. The format `amb` can
    ///     store only such fields.
    ///   - trackNames: Names of the channels, which are written into the header of WAVE files (`iXML`).
    ///   - format: Nil uses the format of the path's extension.
    ///   - metadata: Metadata to write, as far as the format supports them.
    ///   - asTake: Whether to write a take.
    ///   - replaces: Whether an existing file is replaced when this one is complete. Otherwise an existing file is an
    ///     error.
    /// - Throws: `unknownFormat`, `unsupportedEncoding`, `noFolder`, `noPermission`, `notAFile`, `diskFull`, `exists`.
    ///   For a take also `beingRecorded`, `cutOff` and `standardStream`.
    package init(
        path: String, channels: Int, sampleRate: SampleRate, encoding: SampleEncoding? = nil,
        dither: Dither = .none, channelPositions: [UInt32]? = nil, fieldOrder: Int? = nil,
        isBFormat: Bool = false, trackNames: [String] = [],
        format: SoundFileFormat? = nil,
        metadata: SoundFileMetadata = SoundFileMetadata(), asTake: Bool = false, replaces: Bool = false
    ) throws(SoundFileError) {
        guard path != StandardStream.name || !asTake else { throw .standardStream }
        guard let format = format ?? SoundFileFormat(path: path) else {
            throw .unknownFormat(path: path, known: SoundFileFormat.extensions)
        }
        let refusal = format.refusal(channels: channels, rate: sampleRate, encoding: encoding)
        if format == .amb, !isBFormat {
            throw .unsupportedEncoding(
                path: path, format: "amb (B-format)",
                reason: "it holds sound fields of order 1 to 3 in Furse-Malham's order; take .wav")
        }
        let isUnfit = asTake && (format.compression != nil || format == .raw)
        if let reason = isUnfit ? "a file of this format is lost after an interruption; use .wav or .flac" : refusal {
            throw .unsupportedEncoding(path: path, format: format.rawValue, reason: reason)
        }
        let encoding = encoding ?? format.defaultEncoding
        var info = SF_INFO()
        info.channels = Int32(channels)
        info.samplerate = Int32(sampleRate.hertz.rounded())
        info.format = Int32(format.container | (format.compression ?? encoding.subtype(in: format)))
        guard sf_format_check(&info) == SF_TRUE else {
            throw .unsupportedEncoding(
                path: path, format: "\(format.rawValue) (--bits \(encoding.rawValue))",
                reason: format.refusal(of: encoding) ?? "not for \(channels) channels at \(sampleRate)")
        }
        var target = try SoundFileTarget(path, asTake: asTake, replaces: replaces)
        errno = 0
        guard let file = sf_open_fd(target.descriptor, Int32(SFM_WRITE), &info, 1) else {
            let code = errno
            target.remove()
            target.closeStream()
            if code != 0 { throw .from(errno: code, path: path) }
            throw .unsupportedEncoding(
                path: path, format: format.rawValue, reason: String(cString: sf_strerror(nil)))
        }
        target.removeAtExit()
        (self.path, self.target) = (path, target)
        self.file = file
        self.sampleRate = sampleRate
        header = WrittenHeader(
            format: format, channelCount: channels, channelPositions: channelPositions, fieldOrder: fieldOrder,
            markers: metadata.markers)
        mostFrames =
            format == .aiff ? (Int(UInt32.max) - Self.aiffRest) / (channels * encoding.byteCount) : Int.max
        chunk = InterleavedChunk(
            channels: channels, order: format.order(of: channelPositions),
            quantiser: encoding.bits.flatMap { $0 <= 24 ? Quantiser(dither, bits: $0, channels: channels) : nil })
        if format == .wav || format == .amb { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1) }
        // The PEAK chunk contains the time of day. Without the chunk, equal sound gives equal files.
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
        header.begin(file, metadata, trackNames: trackNames)
        // A full disk is detected before the recording starts.
        if target.take != nil, format != .flac {
            errno = 0
            refreshHeader()
            if sf_error(file) != SF_ERR_NO_ERROR { throw fail(errno) }
        }
    }

    deinit {
        discard()
        target.closeStream()
    }

    /// Number of channels.
    package var channelCount: Int { header.channelCount }

    /// The container.
    package var format: SoundFileFormat { header.format }

    /// Appends `frames` frames of `block`, from frame `offset` and channel `firstChannel` of the block on.
    ///
    /// - Throws: `diskFull`, `readerEnded` or `system` after an incomplete write; the temporary file is then removed.
    ///   For a take `stopped`. `cancelled` if the file is no longer open.
    package func write(
        _ block: borrowing PlanarBlock, firstChannel: Int = 0, from offset: Int = 0, frames: Int
    ) throws(SoundFileError) {
        precondition(block.channelCount >= firstChannel + channelCount && offset + frames <= block.frameCapacity)
        var done = 0
        while done < frames {
            let count = min(InterleavedChunk.mostFrames, frames - done)
            let samples = chunk.fill(block, firstChannel: firstChannel, from: offset + done, frames: count)
            try append(samples, count)
            done += count
        }
    }

    /// Passes frames through the dither without writing them. Later frames are then rounded as if the passed frames had
    /// been written.
    package func pass(_ block: borrowing PlanarBlock, firstChannel: Int = 0, from offset: Int = 0, frames: Int) {
        guard chunk.rounds else { return }
        var done = 0
        while done < frames {
            let count = min(InterleavedChunk.mostFrames, frames - done)
            chunk.fill(block, firstChannel: firstChannel, from: offset + done, frames: count)
            done += count
        }
    }

    /// Appends interleaved frames.
    package func write(interleaved samples: UnsafePointer<Float>, frames: Int) throws(SoundFileError) {
        precondition(chunk.keepsOrder, "interleaved frames must have the file's order of channels")
        guard chunk.rounds else { return try append(samples, frames) }
        var done = 0
        while done < frames {
            let count = min(InterleavedChunk.mostFrames, frames - done)
            try append(chunk.fill(interleaved: samples + done * channelCount, frames: count), count)
            done += count
        }
    }

    private func append(_ samples: UnsafePointer<Float>, _ frames: Int) throws(SoundFileError) {
        guard let file else { throw .cancelled }
        guard frames <= mostFrames - frameCount else { throw target.take == nil ? fail(EFBIG) : cut(EFBIG) }
        errno = 0
        let written = Int(sf_writef_float(file, samples, sf_count_t(frames)))
        frameCount += written
        guard written == frames else { throw target.take == nil ? fail(errno) : cut(errno) }
    }

    /// Updates the header of a take to the frames written so far. About 100 bytes are written, whatever the length. The
    /// header then covers all complete frames in WAV, RF64, BW64, W64, CAF and AIFF. In FLAC it covers all complete
    /// blocks, because the encoder writes only whole blocks (4096 frames).
    package func refreshHeader() {
        guard let file, let take = target.take else { return }
        if format == .flac {
            refreshLength(take)
        } else {
            sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        }
    }

    /// Writes the length of a FLAC stream's complete blocks into the stream's header. libFLAC writes a block only after
    /// the first frame of the next one.
    private func refreshLength(_ take: TakeFile) {
        guard frameCount > 0, let block = FLACStream.blockFrames(take.descriptor) else { return }
        _ = FLACStream.setLength((frameCount - 1) / block * block, take.descriptor)
    }

    /// Synchronises the written data to the disk, on the calling thread. A power failure may lose data that are not
    /// synchronised. The call may take seconds. May be called on any thread, also while other threads write.
    package static func bringToDisk(_ descriptor: Int32) { _ = fdatasync(descriptor) }

    /// Path of a take until it is complete; for any other file its final path.
    var takePath: String { target.take?.temporaryPath ?? path }

    /// Descriptor of a take in progress for `bringToDisk`; otherwise nil. The caller closes it.
    package var descriptorForDisk: Int32? {
        guard let take = target.take, file != nil else { return nil }
        let descriptor = fcntl(take.descriptor, F_DUPFD_CLOEXEC, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Records a failed write to a take. `finish` keeps the frames that were written before.
    func cut(_ code: Int32) -> SoundFileError {
        isCutShort = true
        return .stopped(
            path: path, frames: frameCount, seconds: self.sampleRate.seconds(frames: frameCount),
            reason: code != 0 ? String(cString: strerror(code)) : "the file could not be written")
    }

    /// Ends a take at an earlier frame than the last one written. `finish` then truncates the take at that frame and
    /// adds no markers, as on a full disk.
    ///
    /// - Precondition: The format is not FLAC, whose frames are in blocks that cannot be cut.
    package func cut(to frames: Int) {
        precondition(format != .flac, "a FLAC stream ends with a whole block")
        guard target.take != nil, frames < frameCount else { return }
        frameCount = max(0, frames)
        isCutShort = true
    }
}
