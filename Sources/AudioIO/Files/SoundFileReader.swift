import CSndFile
import Glibc
import Signal

/// Sound file that is open for reading, in any format of libsndfile. It is read forward in blocks, in constant memory.
///
/// One thread at a time, not the audio thread.
package final class SoundFileReader {
    /// Path, as the caller gave it.
    package let path: String
    /// Number of frames in the file, 1…`mostFrames`. After `convert` it is counted at the new rate.
    package private(set) var frameCount: Int
    /// Number of channels that are read, > 0.
    package let channelCount: Int
    /// Sample rate of the file; after `convert`, the new rate.
    package private(set) var sampleRate: SampleRate
    /// Loudspeaker position of each channel, as bits of WAVE_FORMAT_EXTENSIBLE's mask, in the file's order. Nil if
    /// neither the header nor the format declares them. For `Layout.forFile(channelPositions:…)`.
    package let channelPositions: [UInt32]?
    /// Frames that the header declares and a cut-off file lacks. It is 0 if the file is complete or declares no length.
    package let missingFrames: Int
    /// Whether the header declares no length, as after a recording that was cut off. The file is then read to its end.
    package let isUnended: Bool
    /// Whether the header declares B-format in Furse-Malham's order and scale (`.amb`).
    package let isBFormat: Bool
    /// Container and encoding, in libsndfile's words, such as `WAV (Microsoft), 24 bit PCM`.
    package let encodingName: String
    /// Metadata of the file.
    package private(set) var metadata: SoundFileMetadata
    /// Chunks that describe the tracks; nil without such chunks.
    package let model: ModelChunks?
    /// Processing of all samples that are read; nil without processing.
    package var shaping: (any FrameShaping)?
    /// The frame that is read next.
    package private(set) var position = 0
    /// Description of a file without a header; nil for a file with a header.
    package let raw: RawSound?

    private let file: OpaquePointer
    /// Virtual file for libsndfile, if libsndfile cannot read the file directly.
    private let patched: PatchedFile?
    /// Conversion to another sample rate; nil without a conversion.
    private var conversion: RateConversion?
    /// Number of frames and sample rate of the file, before any conversion.
    private let fileFrames: Int, fileRate: SampleRate
    /// The frame of the file that is read next, before any conversion.
    private var filePosition = 0
    /// Number of bytes at the end of a file without a header that do not fill a frame.
    private let oddBytes: Int
    private let interleaved: UnsafeMutablePointer<Float>
    /// Number of channels in the file.
    private let fileChannels: Int
    /// Index in the file of each channel that is read; nil reads all channels in order.
    private let selection: [Int]?
    /// Number of frames that are read from libsndfile at a time.
    private static let chunkFrames = 4096
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
    ///   `unsupportedRate`, `tooManyChannels`. `wrongChannelCount` if the file lacks some of `channels`.
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
        self.file = file
        self.raw = raw
        sampleRate = rate
        frameCount = Int(info.frames)
        (fileFrames, fileRate) = (Int(info.frames), rate)
        let width = raw.map { $0.channels * $0.encoding.byteCount } ?? 1
        oddBytes = Int(status.st_size) % width
        fileChannels = Int(info.channels)
        selection = channels
        channelCount = channels?.count ?? fileChannels
        let positions = ChannelPositions.read(
            file, format: long == nil ? info.format : Int32(SF_FORMAT_WAV), channels: fileChannels,
            descriptor: descriptor)
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
        encodingName = Self.encodingName(info.format)
        metadata = SoundFileMetadata(of: file, chunks: chunks, descriptor: descriptor)
        self.patched = patched
        interleaved = .allocate(capacity: Self.chunkFrames * fileChannels)
    }

    /// Remark on the file's length, one line. Nil if the header and the file agree.
    package var lengthRemark: String? {
        if oddBytes > 0 {
            return "\(path): the last \(oddBytes) bytes do not fill a frame and are ignored; check --input-channels "
                + "and --input-bits"
        }
        if isUnended {
            return
                "\(path): the header declares no length, as after an interrupted recording or a pipe; "
                + "\(missingFrames > 0 ? "the first 4 GB are read" : "the file is read to its end"), "
                + "\(Self.text(fileRate.seconds(frames: fileFrames))) s"
        }
        guard missingFrames > 0 else { return nil }
        let missing = Self.text(fileRate.seconds(frames: missingFrames))
        let whole = Self.text(fileRate.seconds(frames: missingFrames + fileFrames))
        return "\(path) is cut off: \(missing) s of the \(whole) s that its header promises are missing"
    }

    /// Returns seconds with three decimals.
    private static func text(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    private static func encodingName(_ format: Int32) -> String {
        let names = [Int(format) & SF_FORMAT_TYPEMASK, Int(format) & SF_FORMAT_SUBMASK].compactMap { part -> String? in
            var info = SF_FORMAT_INFO()
            info.format = Int32(part)
            let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
            guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0 else { return nil }
            return info.name.map { String(cString: $0) }
        }
        return names.joined(separator: ", ")
    }

    deinit {
        sf_close(file)
        interleaved.deallocate()
        withExtendedLifetime(patched) {}
    }

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
                into: block, at: offset, frames: min(frames, frameCount - position), from: readFile)
        } else {
            count = try readFile(into: block, at: offset, frames: frames)
        }
        position += count
        return count
    }

    private func readFile(_ block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try readFile(into: block, at: 0, frames: frames)
    }

    /// Reads frames of the file at its own sample rate.
    private func readFile(
        into block: borrowing PlanarBlock, at offset: Int, frames: Int
    ) throws(SoundFileError) -> Int {
        var done = 0
        while done < frames, filePosition < fileFrames {
            let wanted = min(Self.chunkFrames, frames - done, fileFrames - filePosition)
            errno = 0
            let count = Int(sf_readf_float(file, interleaved, sf_count_t(wanted)))
            guard count > 0 else {
                if errno != 0 { throw .system(path: path, reason: String(cString: strerror(errno))) }
                throw .truncated(path: path, frames: filePosition, promised: fileFrames)
            }
            for channel in 0..<channelCount {
                let target = block[channel] + offset + done
                var source = interleaved + (selection?[channel] ?? channel)
                for i in 0..<count {
                    target[i] = source.pointee
                    source += fileChannels
                }
            }
            shaping?.shape(block, at: offset + done, position: filePosition, frames: count)
            done += count
            filePosition += count
        }
        return done
    }

    /// Continues reading at a frame, 0…frameCount. After `convert`, at the nearest frame of the file.
    package func seek(to frame: Int) throws(SoundFileError) {
        let place = try conversion?.restart(at: frame) ?? frame
        guard sf_seek(file, sf_count_t(place), SEEK_SET) == sf_count_t(place) else {
            throw .system(path: path, reason: String(cString: sf_strerror(file)))
        }
        (filePosition, position) = (place, frame)
    }

    /// Number of samples that a conversion of the rate has replaced; see `Samples.cleanse`.
    package var convertedRefusals: Int { conversion?.refused ?? 0 }

    /// Converts all frames that are read from now on to another sample rate, and restarts at the first frame. Length,
    /// rate, markers and time reference are then those at the new rate. Has no effect if the file has this rate or is
    /// already converted.
    ///
    /// - Throws: `unsupportedRate` if the rates cannot be converted.
    package func convert(to rate: SampleRate) throws(SoundFileError) {
        guard rate != fileRate, conversion == nil else { return }
        let made = try RateConversion(
            path: path, channels: channelCount, frames: fileFrames, from: fileRate, to: rate)
        conversion = made
        (frameCount, sampleRate) = (made.frameCount, rate)
        metadata = metadata.converted { made.output(of: $0) }
        try seek(to: 0)
    }
}
