import Glibc
import Synchronization

/// Text that grows line by line during a session. Other programs can read it up to its last line at any time.
///
/// The text is a take (`TakeFile`): it is named `NAME.part` until it is complete. If a write fails, as on a full disk,
/// it ends with the last lines that were written and is kept. May be used on any thread, one call at a time.
package final class TextTake: Sendable {
    /// Path as given by the user.
    package let path: String
    private let state: Mutex<State>
    private let unfinished: Mutex<Int?>

    private struct State {
        var file: TakeFile?
        /// Number of bytes written so far, all of them in whole lines.
        var length = 0
        /// Error with which the writing of lines failed; nil without an error.
        var failure: TakeError?
    }

    /// Opens the file with its first lines.
    ///
    /// - Throws: as `TakeFile`.
    package init(path: String, beginning: String, replaces: Bool = false) throws(TakeError) {
        self.path = path
        state = Mutex(State(file: try TakeFile(path: path, replaces: replaces)))
        unfinished = Mutex(nil)
        try append(beginning)
        let number = Unfinished.add { [weak self] in _ = try? self?.finish() }
        unfinished.withLock { $0 = number }
    }

    deinit { unfinished.withLock { $0.map(Unfinished.forget) } }

    /// Appends whole lines. Has no effect after the file was completed, left or removed.
    ///
    /// - Throws: `stopped` if these or earlier lines could not be written; the file is then complete with the lines
    ///   written before. `system` if there are no earlier lines; the file is then removed. Otherwise as
    ///   `TakeFile.complete`. Each later call throws the same error.
    package func append(_ text: String) throws(TakeError) {
        try state.withLock { (state: inout State) throws(TakeError) in
            if let failure = state.failure { throw failure }
            guard let file = state.file else { return }
            var text = text
            let code = text.withUTF8 { Self.write($0, file.descriptor, at: state.length) }
            guard code == 0 else {
                ftruncate(file.descriptor, off_t(state.length))
                state.file = nil
                var failure = TakeError.system(path: path, code: code)
                if state.length == 0 {
                    // A file without lines is not kept.
                    file.discard()
                } else {
                    do throws(TakeError) {
                        failure = .stopped(path: try file.complete(), reason: String(cString: strerror(code)))
                    } catch {
                        failure = error
                    }
                }
                state.failure = failure
                throw failure
            }
            state.length += text.utf8.count
        }
    }

    /// Duplicate of the file's descriptor, with which the caller flushes the text to the disk, and which it must close.
    /// Nil if the file is no longer open, or if no descriptor is free.
    package var descriptorForDisk: Int32? {
        state.withLock { state in
            guard let descriptor = state.file.map({ fcntl($0.descriptor, F_DUPFD_CLOEXEC, 0) }) else { return nil }
            return descriptor >= 0 ? descriptor : nil
        }
    }

    /// Clears the text and starts again with `beginning`.
    package func restart(_ beginning: String) throws(TakeError) {
        try state.withLock { (state: inout State) throws(TakeError) in
            if let failure = state.failure { throw failure }
            guard let file = state.file else { return }
            guard ftruncate(file.descriptor, 0) == 0 else { throw .system(path: path, code: errno) }
            state.length = 0
        }
        try append(beginning)
    }

    /// Completes the file, under another name if one is given (`TakeFile.complete`). Returns its name; nil if the file
    /// was completed, left or removed before.
    @discardableResult
    package func finish(as other: String? = nil) throws(TakeError) -> String? {
        unfinished.withLock { $0.map(Unfinished.forget) }
        return try state.withLock { (state: inout State) throws(TakeError) in
            let file = state.file
            state.file = nil
            return try file?.complete(as: other)
        }
    }

    /// Removes the file, for example if its session could not begin. Has no effect after `finish` or `leave`.
    package func discard() {
        unfinished.withLock { $0.map(Unfinished.forget) }
        state.withLock { state in
            state.file?.discard()
            state.file = nil
        }
    }

    /// Leaves the `.part` for a recovery, for example if its recording is left too. Has no effect after `finish`.
    package func leave() {
        unfinished.withLock { $0.map(Unfinished.forget) }
        state.withLock { state in
            state.file?.leave()
            state.file = nil
        }
    }

    /// Writes all bytes at an offset. Returns an error number, or 0.
    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, _ descriptor: Int32, at offset: Int) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            done += count
        }
        return 0
    }
}
