import CSndFile
import Glibc
import Signal
import Takes

/// The end of a file that is written. The file is completed under its name, kept up to a failure, or removed.
extension SoundFileWriter {
    /// Completes the file and renames it to its final name.
    ///
    /// - Parameter other: Another name for a take (`TakeFile.complete`). Nil stands for `path`.
    /// - Returns: The final name. A take gets another name than the requested one if a file of that name has appeared
    ///   meanwhile.
    /// - Throws: `diskFull`, `noPermission`, `system`. `exists` if a file appeared meanwhile that must not be replaced.
    ///   The temporary file is then removed. For a take `incomplete`; it then stays as its `.part`. `cancelled` if the
    ///   file was completed or discarded before.
    @discardableResult
    package func finish(as other: String? = nil) throws(SoundFileError) -> String {
        guard file != nil else { throw .cancelled }
        if isCutShort { return try keep(as: other) }
        try complete()
        return try publish(as: other)
    }

    /// Completes the file under its temporary name. `publish` then renames it. Dropping the writer before `publish`
    /// removes the file.
    ///
    /// - Throws: The errors of `finish`.
    package func complete() throws(SoundFileError) {
        guard let file else { throw .cancelled }
        // The header is updated while a failure can still be detected.
        errno = 0
        if format.compression == nil, target.take == nil || format != .flac {
            sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        }
        sf_write_sync(file)
        let failed = sf_error(file) != SF_ERR_NO_ERROR
        let code = errno
        if failed, target.temporaryPath != nil { throw leave(code) }
        self.file = nil
        guard sf_close(file) == 0 else { throw leave(errno) }
        target.isUnnamed = true
        try amend()
    }

    /// Path of a complete file that does not have its final name yet; for a device the path of the device.
    package var completePath: String { target.temporaryPath ?? path }

    /// Completes a take after a failed write or `cut(to:)`. The take then ends with the last complete frame, or with
    /// the last one that `cut(to:)` keeps. If there is no such frame, the take is removed. A FLAC stream ends before
    /// its last block, which may be incomplete.
    private func keep(as other: String?) throws(SoundFileError) -> String {
        guard let file, let take = target.take else { throw .cancelled }
        if format == .flac {
            self.file = nil
            sf_close(file)
            if let block = FLACStream.lastBlock(take.descriptor), block.frames > 0 {
                frameCount = block.frames
                ftruncate(take.descriptor, off_t(block.offset))
                _ = FLACStream.setLength(block.frames, take.descriptor)
            } else {
                frameCount = 0
            }
        } else {
            var frames = sf_count_t(frameCount)
            sf_command(file, Int32(SFC_FILE_TRUNCATE), &frames, Int32(MemoryLayout<sf_count_t>.size))
            sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
            self.file = nil
            sf_close(file)
        }
        guard frameCount > 0 else {
            take.discard()
            return path
        }
        // The take gets no markers, because the disk may have no room for them.
        header.markers = []
        try amend()
        return try publish(as: other)
    }

    private func publish(as other: String?) throws(SoundFileError) -> String {
        if let take = target.take {
            target.isUnnamed = false
            do throws(TakeError) { return try take.complete(as: other) } catch {
                throw .incomplete(part: take.temporaryPath, reason: error.description)
            }
        }
        try Self.publish([self])
        return path
    }

    /// Renames complete files, and other files beside them, to their final names: all of them, or none.
    ///
    /// - Precondition: `complete` was called for each, and none is a take.
    /// - Throws: The errors of `finish`, for the first file that fails. No file is left then.
    package static func publish(_ writers: [SoundFileWriter], beside others: [UnnamedFile] = []) throws(SoundFileError)
    {
        // Pipes come first, so that no file appears if the reader of a pipe is gone.
        for writer in writers {
            guard let stream = writer.target.stream else { continue }
            try StandardStream.publish(writer.completePath, to: stream)
            writer.target.isUnnamed = false
            writer.target.remove()
        }
        let files = writers.filter { $0.target.stream == nil }.compactMap(\.target.unnamed)
        for writer in writers where writer.target.stream == nil {
            writer.target.isUnnamed = false
            writer.target.forget()
        }
        do throws(TakeError) { try UnnamedFile.publish(files + others) } catch { throw SoundFileError(error) }
    }

    /// Adds to the complete file the header data that libsndfile does not write.
    private func amend() throws(SoundFileError) {
        let rest = header.rest(isTake: target.take != nil)
        guard let temporaryPath = target.temporaryPath, !rest.isEmpty else { return }
        do throws(HeaderRest.Failure) { header.hasKeptMarkers = try rest.write(to: temporaryPath) } catch {
            throw leave(error.code)
        }
    }

    /// Closes and removes the temporary file. Has no effect after `finish`.
    package func discard() {
        guard file != nil || target.isUnnamed else { return }
        if let file { sf_close(file) }
        (file, target.isUnnamed) = (nil, false)
        target.remove()
    }

    /// Handles an error at the end: keeps a take, and removes any other file.
    private func leave(_ code: Int32) -> SoundFileError {
        guard let take = target.take else { return fail(code) }
        if let file { sf_close(file) }
        file = nil
        take.leave()
        let reason = code != 0 ? String(cString: strerror(code)) : "the file could not be written"
        return .incomplete(part: take.temporaryPath, reason: reason)
    }

    func fail(_ code: Int32) -> SoundFileError {
        let reason = code != 0 ? String(cString: strerror(code)) : "the file could not be written"
        discard()
        target.remove()
        switch code {
        case EPIPE: return .readerEnded(bytes: nil)
        case ENOSPC, EDQUOT, EFBIG, 0: return .diskFull(path: path, frames: frameCount, reason: reason)
        default: return .from(errno: code, path: path)
        }
    }
}
