import CSndFile
import Gate
import Glibc
import Signal
import Takes

/// A take (a recording) that was cut off, for example by a power failure, and the recovery of its sound under another
/// name.
package enum CutOffTake {
    /// Result of a recovery.
    package struct Recovered: Sendable, Equatable {
        /// Path of the recovered or complete file. Nil if the `.part` contained no sound and no complete line, and has
        /// been removed.
        package var path: String?
        /// Duration of the sound, seconds; nil for a text, and if nothing was recovered.
        package var seconds: Double?
    }

    /// Greatest length, bytes, of a newly started take whose header does not declare any sound yet: the header, and one
    /// write of the recorder.
    private static let longestBeginning = 1 << 17

    /// Returns the path of the cut-off take beside the file `path`; nil if there is no such take.
    package static func beside(_ path: String) -> String? {
        do {
            try TakeFile.check(path, replaces: true)
            return nil
        } catch {
            if case .cutOff(let part) = error { return part }
            return nil
        }
    }

    /// Returns whether a `.part` file of any kind exists beside the file `path`.
    package static func isBeside(_ path: String) -> Bool { TakeFile.exists(OutputPlace(path).resolved + ".part") }

    /// Describes a complete file: a sound file with all the sound that its header declares, or a text of whole lines.
    /// Returns nil for any other file.
    package static func whole(_ path: String) -> Recovered? {
        do throws(SoundFileError) {
            let sound = try SoundFileReader(path: path)
            guard sound.length.missingFrames == 0, !sound.length.isUnended else { return nil }
            return Recovered(path: path, seconds: sound.sampleRate.seconds(frames: sound.frameCount))
        } catch {
            return isText(path) ? Recovered(path: path, seconds: nil) : nil
        }
    }

    /// Returns whether a file starts as text and ends with the end of a line.
    private static func isText(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        var (first, last) = ([UInt8](repeating: 0, count: 4096), UInt8(0))
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return false
        }
        let count = pread(descriptor, &first, first.count, 0)
        return count > 0 && !first[..<count].contains(0) && pread(descriptor, &last, 1, status.st_size - 1) == 1
            && last == UInt8(ascii: "\n")
    }

    /// Truncates a `NAME.part`. A sound file is truncated where its header declares the end of the sound (FLAC: before
    /// the last block, which may be incomplete), a text after its last complete line. Then renames the file to
    /// `NAME-recovered` by the rules of `RecoveredName`. Copies nothing. Removes a `.part` without content.
    ///
    /// - Throws: `missing`, `notAFile`, `beingRecorded`, or an error of the system. `notPart` if the name does not end
    ///   in `.part`. `notSound` if the file is neither sound nor text. `empty` if the file declares no sound, or has no
    ///   complete line, although it is longer than a newly started take. In all these cases the file stays.
    package static func recover(_ part: String) throws(SoundFileError) -> Recovered {
        guard part.hasSuffix(".part") else { throw .notPart(path: part) }
        let descriptor = open(part, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .from(errno: errno, path: part) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: part) }
        let code = FileLock.take(descriptor)
        guard code == 0 else { throw code == EWOULDBLOCK ? .beingRecorded(path: part) : .from(errno: code, path: part) }
        let path = String(part.dropLast(5))
        let seconds: Double?
        do throws(SoundFileError) {
            seconds = try endSound(part, descriptor, as: SoundFileFormat(path: path))
            if seconds == nil { try endText(part, descriptor) }
        } catch {
            // A longer file without sound in its header is not removed, because it may not be a take.
            guard case .empty = error, status.st_size <= longestBeginning else { throw error }
            guard unlink(part) == 0 else { throw .from(errno: errno, path: part) }
            return Recovered(path: nil, seconds: nil)
        }
        fsync(descriptor)
        do throws(TakeError) {
            let name = try RecoveredName.claim(for: path)
            guard rename(part, name) == 0 else {
                let code = errno
                unlink(name)
                throw .system(path: name, code: code)
            }
            return Recovered(path: name, seconds: seconds)
        } catch {
            throw SoundFileError(error)
        }
    }

    /// Truncates the file after the sound that its header declares, unless the file has less sound than that. Returns
    /// the duration, seconds; nil if the file is no sound file.
    private static func endSound(
        _ part: String, _ descriptor: Int32, as format: SoundFileFormat?
    ) throws(SoundFileError) -> Double? {
        if let block = FLACStream.lastBlock(descriptor) {
            // The last block may be incomplete. The sound ends before it.
            guard block.frames > 0 else { throw .empty(path: part) }
            guard FLACStream.setLength(block.frames, descriptor), ftruncate(descriptor, off_t(block.offset)) == 0 else {
                throw .from(errno: errno, path: part)
            }
        }
        var info = SF_INFO()
        let reading = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard reading >= 0 else { throw .from(errno: errno, path: part) }
        lseek(reading, 0, SEEK_SET)
        guard let file = sf_open_fd(reading, Int32(SFM_READ), &info, 1) else { return nil }
        defer { sf_close(file) }
        guard info.frames > 0, info.samplerate > 0 else { throw .empty(path: part) }
        if format != .flac {
            let chunks = FileChunks(descriptor: descriptor)
            let promised = chunks.flatMap { PromisedLength.frames($0, descriptor: descriptor) } ?? 0
            // Where the header declares more frames than libsndfile finds, as in AIFF whose size has wrapped, the rest
            // of the file may be sound, and is kept.
            if promised <= Int(info.frames) {
                // After a seek past the last frame, the descriptor is at the byte after the sound.
                guard sf_seek(file, info.frames, Int32(SEEK_SET)) == info.frames,
                    case let end = lseek(reading, 0, SEEK_CUR), end > 0, ftruncate(descriptor, end) == 0
                else { throw .from(errno: errno, path: part) }
            }
            // During the recording libsndfile sets a channel mask by the number of channels. A sound field must have
            // none.
            if format?.isWave == true, chunks?["chna"] != nil,
                !ChannelPositions.writeWaveMask(nil, channels: Int(info.channels), descriptor: descriptor)
            {
                throw .from(errno: errno, path: part)
            }
            if format?.isWave == true, !HeaderRest.forgetTime(descriptor) { throw .from(errno: errno, path: part) }
            if format == .bw64 { pwrite(descriptor, "BW64", 4, 0) }
        }
        return Double(info.frames) / Double(info.samplerate)
    }

    /// Truncates the file after its last complete line.
    private static func endText(_ part: String, _ descriptor: Int32) throws(SoundFileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .from(errno: errno, path: part) }
        var end = Int(status.st_size)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while end > 0 {
            let count = min(end, bytes.count)
            guard pread(descriptor, &bytes, count, off_t(end - count)) == count else {
                throw .from(errno: errno, path: part)
            }
            if bytes[..<count].contains(0) {
                throw .notSound(path: part, reason: "it is neither a sound file nor a text")
            }
            if let last = bytes[..<count].lastIndex(of: UInt8(ascii: "\n")) {
                guard ftruncate(descriptor, off_t(end - count + last + 1)) == 0 else {
                    throw .from(errno: errno, path: part)
                }
                return
            }
            end -= count
        }
        throw .empty(path: part)
    }
}
