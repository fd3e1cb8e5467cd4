import Glibc
import Takes

/// Errors of a sound file, worded for the user who named the file.
package enum SoundFileError: Error, Equatable, CustomStringConvertible {
    /// The file or folder does not exist.
    case missing(path: String)
    /// The folder of the output file does not exist.
    case noFolder(path: String)
    /// The system denies access. `reason` is its message.
    case noPermission(path: String, reason: String)
    /// Any other error of the system.
    case system(path: String, reason: String)
    /// The path is not a regular file: a folder, a device or, for a take, a pipe.
    case notAFile(path: String)
    /// libsndfile does not recognise the file, or a take is neither sound nor text. `reason` is the cause.
    case notSound(path: String, reason: String)
    /// The name of a take to be recovered does not end in `.part`.
    case notPart(path: String)
    /// The file has a format that ffmpeg can read and libsndfile cannot.
    case foreign(path: String, format: String)
    /// The name is `-`, which in other places stands for standard input or output.
    case standardStream
    /// The program that reads a pipe ended before everything was written. `bytes` is the number of bytes written
    /// before, if known.
    case readerEnded(bytes: Int?)
    /// The file has no frames.
    case empty(path: String)
    /// The file has no bytes.
    case noBytes(path: String)
    /// The file does not declare its length, or declares a length that no file has.
    case implausibleLength(path: String, frames: Int)
    /// Playback would start after the file's end. The payload has the requested position and the duration, seconds.
    case endsBefore(path: String, asked: Double, seconds: Double)
    /// The file ends before the length in its header. The payload has the frames that were read and those that were
    /// declared.
    case truncated(path: String, frames: Int, promised: Int)
    /// The sample rate is outside the supported range.
    case unsupportedRate(path: String, hertz: Double)
    /// The number of channels is not supported.
    case tooManyChannels(path: String, channels: Int)
    /// The file's number of channels differs from the layout's, or the file lacks some of the channels to be read.
    /// `layouts` names the layouts that fit the file.
    case wrongChannelCount(path: String, found: Int, expected: Int, layouts: [String])
    /// No sound format has this extension.
    case unknownFormat(path: String, known: [String])
    /// The format cannot store this encoding, number of channels or sample rate.
    case unsupportedEncoding(path: String, format: String, reason: String)
    /// The disk is full, or the file exceeds a size limit of the system or of its format. The payload has the number of
    /// frames written so far.
    case diskFull(path: String, frames: Int, reason: String)
    /// A take could not be continued. It is complete up to that point. The payload has its length in frames and in
    /// seconds.
    case stopped(path: String, frames: Int, seconds: Double, reason: String)
    /// A take was recorded but could not be completed. It remains as `.part`.
    case incomplete(part: String, reason: String)
    /// A file of that name exists and must not be replaced.
    case exists(path: String)
    /// This program or another one is recording into the file.
    case beingRecorded(path: String)
    /// A cut-off take of that name has not been recovered yet.
    case cutOff(part: String)
    /// The work was cancelled. No file was left.
    case cancelled

    /// Cause of the error with the file's path, and in most cases a remedy.
    package var description: String {
        switch self {
        case .missing(let path): "no such file: \(path)"
        case .noFolder(let path):
            "cannot write \(path): there is no such folder; make it first: mkdir -p \(Self.quoted(Self.folder(of: path)))"
        case .noPermission(let path, let reason): "cannot open \(path): \(reason)"
        case .system(let path, let reason): "cannot open \(path): \(reason)"
        case .notAFile(let path):
            "\(path) is not a sound file but a folder or a device; name the files of a folder: proscenium info "
                + Self.quoted(path.hasSuffix("/") ? String(path.dropLast()) : path) + "/*"
        case .notSound("-", let reason):
            "standard input is no sound that libsndfile can read (\(reason)); samples without a header need --input-rate and "
                + "--input-channels"
        case .notSound(let path, let reason):
            "\(path) is not a sound file libsndfile can read (\(reason)); if there is sound in it, convert it first: ffmpeg -i "
                + Self.quoted(path) + " -c:a pcm_f32le " + Self.quoted(Self.stem(of: path) + ".pcm.wav")
        case .notPart(let path):
            "the name \(path) does not end in .part, as that of an interrupted take does; give the NAME.part of the take, "
                + "or rename this file if it is one: mv \(Self.quoted(path)) \(Self.quoted(path + ".part"))"
        case .foreign(let path, let format):
            "\(path) is \(format), which libsndfile does not read; convert it first: ffmpeg -i \(Self.quoted(path)) "
                + "-c:a pcm_f32le " + Self.quoted(Self.stem(of: path) + ".wav")
        case .standardStream:
            "'-' does not mean standard input or output here; name a file, or write ./- for a file named '-'"
        case .readerEnded(let bytes):
            "the program that reads the output ended early" + (bytes.map { ", after \($0) bytes" } ?? "")
                + "; the rest was not written"
        case .empty("-"): "standard input has no sound in it: a header and 0 frames; check the command before the pipe"
        case .empty(let path):
            "\(path) has no sound in it: 0 frames; write the file anew, then check it: proscenium info \(Self.quoted(path))"
        case .noBytes("-"):
            "standard input has no sound in it: the command before the pipe wrote nothing; run that command alone to read its "
                + "message"
        case .noBytes(let path):
            "\(path) is empty (0 bytes): the copy, download or export wrote nothing; write the file anew, then check "
                + "it: proscenium info \(Self.quoted(path))"
        case .implausibleLength(let path, let frames):
            "\(path) claims \(frames) frames, which no sound file has: its header is damaged, or does not say how long "
                + "it is; convert the file anew"
        case .endsBefore(let path, let asked, let seconds):
            "\(path) is \(Self.text(seconds)) s long: there is nothing to play from \(Self.text(asked)) s on; begin earlier"
        case .truncated(let path, let frames, let promised):
            "\(path) is cut off: its header promises \(promised) frames, \(frames) could be read"
        case .unsupportedRate(let path, let hertz):
            "\(path) has a sample rate of \(hertz) Hz; 8000…768000 Hz are supported; convert the file: "
                + "ffmpeg -i \(Self.quoted(path)) -ar 48000 \(Self.quoted(Self.stem(of: path) + ".48000.wav"))"
        case .tooManyChannels(let path, let channels): "\(path) has \(channels) channels; up to 1024 can be read"
        case .wrongChannelCount(let path, let found, let expected, let layouts):
            "\(path) has \(found) channels, the layout has \(expected); "
                + (layouts.isEmpty
                    ? "no layout has \(found) channels: describe the loudspeakers in a JSON file"
                    : "fitting: --layout \(layouts.joined(separator: " or "))")
        case .unknownFormat(let path, let known):
            "\(path): no sound format has this extension; known extensions: \(known.joined(separator: " "))"
        case .unsupportedEncoding(let path, let format, let reason): "\(path): \(format) cannot be written: \(reason)"
        case .diskFull(let path, let frames, let reason):
            "cannot write \(path): \(reason) (after \(frames) frames); the incomplete file was removed"
        case .stopped(let path, let frames, let seconds, let reason):
            frames > 0
                ? "the recording ended: \(reason); \(path) contains the \((10 * seconds).rounded() / 10) s until then"
                : "the recording ended before it began: \(reason); there is no \(path)"
        case .incomplete(let part, let reason):
            "the recording could not be completed: \(reason); the sound until then is in \(part), and 'proscenium recover' recovers it"
        case .exists(let path): TakeError.exists(path: path).description
        case .beingRecorded(let path): TakeError.beingRecorded(path: path).description
        case .cutOff(let part): TakeError.cutOff(part: part).description
        case .cancelled: "interrupted; no output was left behind"
        }
    }

    /// Converts the error of starting or completing a take.
    package init(_ error: TakeError) {
        switch error {
        case .exists(let path): self = .exists(path: path)
        case .beingRecorded(let path): self = .beingRecorded(path: path)
        case .cutOff(let part): self = .cutOff(part: part)
        case .stopped(let path, let reason), .noThread(let path, let reason):
            self = .system(path: path, reason: reason)
        case .notAFile(let path): self = .notAFile(path: path)
        case .standardStream: self = .standardStream
        case .system(let path, ENOENT), .system(let path, ENOTDIR): self = .noFolder(path: path)
        case .system(let path, let code): self = .from(errno: code, path: path)
        }
    }

    /// Returns the folder of a path.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<max($0, path.index(after: path.startIndex))]) } ?? "."
    }

    /// Returns a path without its extension.
    package static func stem(of path: String) -> String {
        let begin = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[begin...].lastIndex(of: "."), dot > begin else { return path }
        return String(path[..<dot])
    }

    /// Returns a path that is quoted for a shell and cannot be read as an option.
    private static func quoted(_ path: String) -> String {
        let path = path.hasPrefix("-") ? "./" + path : path
        return path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
            ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Returns seconds to the millisecond. Values from 10⁹ on are not rounded.
    private static func text(_ seconds: Double) -> String {
        "\(abs(seconds) < 1e9 ? (seconds * 1000).rounded() / 1000 : seconds)"
    }

    /// Converts an error number of the system.
    static func from(errno code: Int32, path: String) -> SoundFileError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOENT, ENOTDIR: return .missing(path: path)
        case EACCES, EPERM, EROFS: return .noPermission(path: path, reason: reason)
        case EISDIR: return .notAFile(path: path)
        case ENOSPC, EDQUOT, EFBIG: return .diskFull(path: path, frames: 0, reason: reason)
        default: return .system(path: path, reason: reason)
        }
    }
}
