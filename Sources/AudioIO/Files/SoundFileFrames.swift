import CSndFile
import Glibc
import Signal

/// Frames of an open sound file at its own sample rate, read forward from a position. It owns libsndfile's handle.
///
/// May be used by one thread at a time, not by the audio thread.
struct SoundFileFrames: ~Copyable {
    /// Number of channels that are read, > 0.
    let channelCount: Int
    /// Processing of all samples that are read; nil without processing.
    var shaping: (any FrameShaping)?
    /// The frame that is read next.
    private var position = 0

    /// Path of the file, for messages.
    private let path: String
    /// Number of frames in the file.
    private let frameCount: Int
    private let file: OpaquePointer
    /// Virtual file for libsndfile, if libsndfile cannot read the file directly.
    private let patched: PatchedFile?
    private let interleaved: UnsafeMutablePointer<Float>
    /// Number of channels in the file.
    private let fileChannels: Int
    /// Index in the file of each channel that is read; nil reads all channels in order.
    private let selection: [Int]?
    /// Number of frames that are read from libsndfile at a time.
    private static let chunkFrames = 4096

    /// Takes ownership of libsndfile's handle, whose position is the first frame.
    ///
    /// - Parameters:
    ///   - path: Path of the file, for messages.
    ///   - patched: Virtual file behind the handle; nil if libsndfile reads the file directly.
    ///   - channels: Number of channels in the file, > 0.
    ///   - selection: Indices of the file's channels to read, in this order, at least one. Nil reads all channels in
    ///     order.
    init(
        of file: OpaquePointer, path: String, patched: PatchedFile?, frameCount: Int, channels: Int, selection: [Int]?
    ) {
        self.path = path
        self.file = file
        self.patched = patched
        self.frameCount = frameCount
        fileChannels = channels
        self.selection = selection
        channelCount = selection?.count ?? channels
        interleaved = .allocate(capacity: Self.chunkFrames * channels)
    }

    deinit {
        sf_close(file)
        interleaved.deallocate()
        withExtendedLifetime(patched) {}
    }

    /// Reads up to `frames` frames into `block`, from frame `offset` of the block on. Returns the number of frames
    /// read; 0 at the end.
    ///
    /// - Throws: `truncated` if the file ends before its declared length; `system` if it cannot be read.
    mutating func read(
        into block: borrowing PlanarBlock, at offset: Int, frames: Int
    ) throws(SoundFileError) -> Int {
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

    /// Continues reading at a frame of the file.
    mutating func seek(to frame: Int) throws(SoundFileError) {
        guard sf_seek(file, sf_count_t(frame), SEEK_SET) == sf_count_t(frame) else {
            throw .system(path: path, reason: String(cString: sf_strerror(file)))
        }
        position = frame
    }
}
