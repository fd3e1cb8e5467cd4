import CSndFile
import Glibc
import Signal

/// A sound file open for reading, in any format of libsndfile; reads forward in blocks, in constant memory.
///
/// One thread at a time; not for the audio thread.
package final class SoundFileReader {
    /// Path, as given.
    package let path: String
    /// Frames in the file, 1…`mostFrames`.
    package let frameCount: Int
    /// Number of channels read, > 0.
    package let channelCount: Int
    /// Its sample rate.
    package let sampleRate: SampleRate
    /// Loudspeaker position of each channel, as bits of WAVE_FORMAT_EXTENSIBLE's mask, in the file's order; nil if
    /// neither header nor format declares them. For `Layout.forFile(channelPositions:…)`.
    package let channelPositions: [UInt32]?
    /// Frames that the header declares and a cut-off file lacks; 0 if complete, or without a declared length.
    package let missingFrames: Int
    /// Whether the header declares no length, as after a recording that was cut off: the file is read to its end.
    package let isUnended: Bool
    /// Whether the header declares B-format in Furse-Malham's order and scale (`.amb`).
    package let isBFormat: Bool
    /// Metadata of the file.
    package let metadata: SoundFileMetadata
    /// Chunks that describe the tracks; nil without any.
    package let model: ModelChunks?
    /// Processing applied to all samples read; nil without any.
    package var shaping: (any FrameShaping)?
    /// The next frame to be read.
    package private(set) var position = 0

    private let file: OpaquePointer
    /// Virtual file for libsndfile, if it cannot read the file directly.
    private let mended: MendedHeader?
    private let interleaved: UnsafeMutablePointer<Float>
    /// Number of channels in the file.
    private let fileChannels: Int
    /// Index in the file of each channel read; nil: all channels, in order.
    private let selection: [Int]?
    /// Frames read from libsndfile at a time.
    private static let chunkFrames = 4096
    /// Largest length accepted, 2⁴⁰ frames: 265 days at 48 kHz. Some formats declare a length that nothing in the file
    /// confirms, or the largest number if it is unknown.
    package static let mostFrames = 1 << 40

    /// Opens a file.
    ///
    /// - Parameter channels: indices of the file's channels to read, in this order, at least one; nil: all, in order.
    /// - Throws: `standardStream`, `missing`, `noPermission`, `notAFile`, `notSound`, `foreign`, `empty`,
    ///   `implausibleLength`, `unsupportedRate`, `tooManyChannels`; `wrongChannelCount` if it lacks some of `channels`.
    package init(path: String, channels: [Int]? = nil) throws(SoundFileError) {
        guard path != "-" else { throw .standardStream }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .from(errno: errno, path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile(path: path)
        }
        guard status.st_size > 0 else {
            close(descriptor)
            throw .empty(path: path)
        }
        var info = SF_INFO()
        let chunks = FileChunks(descriptor: descriptor)
        let foreign = ForeignFormat.name(descriptor: descriptor)
        let mended = chunks.flatMap { MendedHeader(descriptor: descriptor, chunks: $0) }
        // libsndfile closes the descriptor, also if it fails to open (since 1.0.26).
        guard let file = mended.map({ $0.open(&info) }) ?? sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) else {
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
        self.file = file
        sampleRate = rate
        frameCount = Int(info.frames)
        fileChannels = Int(info.channels)
        selection = channels
        channelCount = channels?.count ?? fileChannels
        let positions = ChannelPositions.read(
            file, format: info.format, channels: fileChannels, descriptor: descriptor)
        if let channels, let positions, positions.count == fileChannels {
            channelPositions = channels.map { positions[$0] }
        } else {
            channelPositions = channels == nil ? positions : nil
        }
        model = chunks.flatMap { ModelChunks($0, descriptor: descriptor) }
        let promised = chunks.flatMap { PromisedLength.frames($0, descriptor: descriptor) } ?? 0
        missingFrames = max(0, promised - frameCount)
        isUnended = chunks?.isUnended ?? false
        isBFormat = chunks.map { BFormat.isSaid(by: $0, descriptor: descriptor) } ?? false
        metadata = SoundFileMetadata(of: file, chunks: chunks, descriptor: descriptor)
        self.mended = mended
        interleaved = .allocate(capacity: Self.chunkFrames * fileChannels)
    }

    /// A remark on the file's length, one line; nil where the header and the file agree.
    package var lengthRemark: String? {
        if isUnended {
            return
                "\(path): its header does not say how long it is, as of a recorder that was cut off or a program that "
                + "wrote to a pipe; it is read \(missingFrames > 0 ? "as far as 4 GB go" : "to the file's end"), "
                + "\(Self.text(sampleRate.seconds(frames: frameCount))) s"
        }
        guard missingFrames > 0 else { return nil }
        let missing = Self.text(sampleRate.seconds(frames: missingFrames))
        let whole = Self.text(sampleRate.seconds(frames: missingFrames + frameCount))
        return "\(path) is cut off: \(missing) s of the \(whole) s that its header promises are missing"
    }

    /// Returns seconds with three decimals.
    private static func text(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    deinit {
        sf_close(file)
        interleaved.deallocate()
        withExtendedLifetime(mended) {}
    }

    /// Reads up to `frames` frames into the channels of `block` from frame `offset` on; returns their number, 0 at the
    /// end.
    ///
    /// - Precondition: `block` has `channelCount` channels and room for the frames.
    /// - Throws: `truncated` if the file ends before its declared length, `system` if it cannot be read.
    package func read(
        into block: borrowing PlanarBlock, at offset: Int = 0, frames: Int
    ) throws(SoundFileError) -> Int {
        precondition(block.channelCount == channelCount && offset + frames <= block.frameCapacity)
        var done = 0
        while done < frames, position < frameCount {
            let wanted = min(Self.chunkFrames, frames - done, frameCount - position)
            errno = 0
            let count = Int(sf_readf_float(file, interleaved, sf_count_t(wanted)))
            guard count > 0 else {
                if errno != 0 { throw .system(path: path, reason: String(cString: strerror(errno))) }
                throw .truncated(path: path, frames: position, promised: frameCount)
            }
            for channel in 0..<channelCount {
                let target = block[channel] + offset + done
                var source = interleaved + (selection?[channel] ?? channel)
                for i in 0..<count {
                    target[i] = source.pointee
                    source += fileChannels
                }
            }
            shaping?.shape(block, at: offset + done, position: position, frames: count)
            done += count
            position += count
        }
        return done
    }

    /// Continues reading at a frame, 0…frameCount.
    package func seek(to frame: Int) throws(SoundFileError) {
        guard sf_seek(file, sf_count_t(frame), SEEK_SET) == sf_count_t(frame) else {
            throw .system(path: path, reason: String(cString: sf_strerror(file)))
        }
        position = frame
    }
}
