import CSndFile
import Glibc
import Signal

/// Sound file that is open for reading, in any format of libsndfile. It is read forward in blocks, in constant memory.
///
/// May be used by one thread at a time, not by the audio thread.
package final class SoundFileReader {
    /// Path, as the caller gave it.
    package let path: String
    /// Description of a file without a header; nil for a file with a header.
    package let raw: RawSound?
    /// Encoding and channels.
    package let header: SoundFileHeader
    /// Length of the file before any conversion, and how far the header agrees with it.
    package let length: SoundFileLength
    /// Metadata of the file. After `convert` the frames in them are those at the new rate.
    package private(set) var metadata: SoundFileMetadata
    /// The frame that is read next.
    package private(set) var position = 0

    /// Frames of the file, before any conversion.
    private var source: SoundFileFrames
    /// Conversion to another sample rate; nil without a conversion.
    private var conversion: RateConversion?
    /// Largest length that is accepted, 2⁴⁰ frames: 265 days at 48 kHz. Some formats declare a length that nothing in
    /// the file confirms. Some declare the largest number if the length is unknown.
    package static let mostFrames = 1 << 40

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: `-` for standard input, which is stored first; see `StandardStream`.
    ///   - channels: Indices of the file's channels to read, in this order, at least one. Nil reads all channels in
    ///     order.
    ///   - raw: Description of a file without a header; nil for a file with a header.
    /// - Throws: `missing`, `noPermission`, `notAFile`, `notSound`, `foreign`, `empty`, `noBytes`, `implausibleLength`,
    ///   `unsupportedRate`, `tooManyChannels`, `system`. `wrongChannelCount` if the file lacks some of `channels`.
    package init(path: String, channels: [Int]? = nil, raw: RawSound? = nil) throws(SoundFileError) {
        let descriptor =
            StandardStream.isInput(path) ? try StandardStream.openInput(path) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .from(errno: errno, path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile(path: path)
        }
        guard status.st_size > 0 else {
            close(descriptor)
            throw .noBytes(path: path)
        }
        var info = SF_INFO()
        let chunks = raw == nil ? FileChunks(descriptor: descriptor) : nil
        let foreign = raw == nil ? ForeignFormat.name(descriptor: descriptor) : nil
        let long = chunks.flatMap { RawSound(longerThanSaid: $0, descriptor: descriptor) }
        if let raw = raw ?? long { info = raw.info }
        let first = long == nil ? 0 : chunks?["data"]?.offset ?? 0
        let patches = long == nil ? chunks.map(MendedHeader.patches) ?? [] : []
        let isPatched = long != nil || !patches.isEmpty
        let patched =
            isPatched
            ? PatchedFile(descriptor: descriptor, from: first, fileSize: Int(status.st_size), patches: patches) : nil
        // libsndfile closes the descriptor, also if it fails to open the file (since 1.0.26).
        guard let file = patched.map({ $0.open(&info) }) ?? sf_open_fd(descriptor, Int32(SFM_READ), &info, 1)
        else {
            if let foreign { throw .foreign(path: path, format: foreign) }
            throw .notSound(path: path, reason: String(cString: sf_strerror(nil)))
        }
        var failure: SoundFileError?
        if info.frames <= 0 { failure = .empty(path: path) }
        if info.frames > Self.mostFrames { failure = .implausibleLength(path: path, frames: Int(info.frames)) }
        if !(1...1024).contains(info.channels) { failure = .tooManyChannels(path: path, channels: Int(info.channels)) }
        let rate = SampleRate(hertz: Double(info.samplerate))
        if let last = channels?.max(), last >= info.channels {
            // The file has been replaced since the channels were chosen.
            failure = .wrongChannelCount(path: path, found: Int(info.channels), expected: last + 1, layouts: [])
        }
        if rate == nil { failure = .unsupportedRate(path: path, hertz: Double(info.samplerate)) }
        guard failure == nil, let rate else {
            sf_close(file)
            throw failure ?? .empty(path: path)
        }
        self.path = path
        self.raw = raw
        header = SoundFileHeader(
            of: file, info, container: long == nil ? info.format : Int32(SF_FORMAT_WAV), selection: channels,
            chunks: chunks, descriptor: descriptor)
        length = SoundFileLength(
            frameCount: Int(info.frames), sampleRate: rate, chunks: chunks, raw: raw, fileSize: Int(status.st_size),
            descriptor: descriptor)
        metadata = SoundFileMetadata(of: file, chunks: chunks, descriptor: descriptor)
        source = SoundFileFrames(
            of: file, path: path, patched: patched, frameCount: Int(info.frames), channels: Int(info.channels),
            selection: channels)
    }

    /// Number of channels that are read, > 0.
    package var channelCount: Int { source.channelCount }

    /// Number of frames in the file, 1…`mostFrames`. After `convert` it is counted at the new rate.
    package var frameCount: Int { conversion?.frameCount ?? length.frameCount }

    /// Sample rate of the file; after `convert`, the new rate.
    package var sampleRate: SampleRate { conversion?.outputRate ?? length.sampleRate }

    /// Processing of all samples that are read, before any conversion; nil without processing.
    package var shaping: (any FrameShaping)? {
        get { source.shaping }
        set { source.shaping = newValue }
    }

    /// Remark on the file's length, one line. Nil if the header and the file agree.
    package var lengthRemark: String? { length.remark(of: path) }

    /// Reads up to `frames` frames into `block`, from frame `offset` of the block on. Returns the number of frames
    /// read; 0 at the end.
    ///
    /// - Precondition: `block` has `channelCount` channels and room for the frames.
    /// - Throws: `truncated` if the file ends before its declared length; `system` if it cannot be read.
    package func read(
        into block: borrowing PlanarBlock, at offset: Int = 0, frames: Int
    ) throws(SoundFileError) -> Int {
        precondition(block.channelCount == channelCount && offset + frames <= block.frameCapacity)
        let count: Int
        if let conversion {
            count = try conversion.read(
                into: block, at: offset, frames: min(frames, frameCount - position), from: readSource)
        } else {
            count = try source.read(into: block, at: offset, frames: frames)
        }
        position += count
        return count
    }

    private func readSource(_ block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try source.read(into: block, at: 0, frames: frames)
    }

    /// Continues reading at a frame, 0…frameCount. After `convert`, at the nearest frame of the file.
    package func seek(to frame: Int) throws(SoundFileError) {
        let place = try conversion?.restart(at: frame) ?? frame
        try source.seek(to: place)
        position = frame
    }

    /// Number of samples that a conversion of the rate has replaced; see `Samples.cleanse`.
    package var convertedRefusals: Int { conversion?.refused ?? 0 }

    /// Converts all frames that are read from now on to another sample rate, and restarts at the first frame. Length,
    /// rate, markers and time reference are then those at the new rate. Has no effect if the file has this rate or is
    /// already converted.
    ///
    /// - Throws: `unsupportedRate` if the rates cannot be converted; `system` if the first frame cannot be reached.
    package func convert(to rate: SampleRate) throws(SoundFileError) {
        guard rate != length.sampleRate, conversion == nil else { return }
        let made = try RateConversion(
            path: path, channels: channelCount, frames: length.frameCount, from: length.sampleRate, to: rate)
        conversion = made
        metadata = metadata.converted { made.output(of: $0) }
        try seek(to: 0)
    }
}
