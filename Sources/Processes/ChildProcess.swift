import CProcesses
import Gate
import Glibc
import Synchronization

/// Error of the system at the creation of a process or of a file in memory.
package struct ProcessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Program or object that could not be created.
    package let program: String
    /// The system's reason.
    package let reason: String

    /// Reason as a sentence.
    package var description: String { "the system could not start '\(program)': \(reason)" }
}

/// Child process of this program. The child may hang or crash without harm to this program. It writes lines to its
/// standard output; `ParentLine` is its counterpart in the child. One thread calls `next` and `stop`; another may call
/// `say` at the same time. Not for the audio thread.
package final class ChildProcess: Sendable {
    /// End of a child.
    package enum End: Hashable, Sendable {
        /// The child exited with this status; −1 if the system reports no status.
        case exited(status: Int32)
        /// A signal killed the child.
        case killed(signal: Int32)
    }

    /// Event of a child.
    package enum Event: Hashable, Sendable {
        /// A line, without its newline.
        case line(String)
        /// The end of the child; its last event.
        case ended(End)
        /// No output within the timeout.
        case silent
    }

    /// Process id, and the parent's ends of the child's standard streams. The child's standard input closes when this
    /// program ends, for whatever reason. A child that reads this input by `ParentLine` then ends too.
    private let child: prc_child
    /// Length of the longest accepted line, bytes. A child that writes a longer one is killed.
    private static let longestLine = 1 << 26
    private let hearing = Mutex(Hearing())
    /// Whether `say` gave up in the middle of a line. No line is sent afterwards, because the child would read it as
    /// the rest of that line.
    private let isCutShort = Atomic(false)

    /// Output that was read but not returned yet, and the end of the child.
    private struct Hearing {
        var heard: [UInt8] = []
        var searched = 0
        var end: End?

        /// Returns the next line, or else the end of the child; nil if there is neither.
        mutating func next() -> Event? { takeLine().map { .line($0) } ?? end.map { .ended($0) } }

        private mutating func takeLine() -> String? {
            guard let place = heard[searched...].firstIndex(of: 10) else {
                searched = heard.count
                return nil
            }
            defer {
                heard.removeSubrange(...place)
                searched = 0
            }
            return String(decoding: heard[..<place], as: UTF8.self)
        }

        /// Appends output. If a line is too long, discards the output and returns false.
        mutating func add(_ bytes: ArraySlice<UInt8>) -> Bool {
            heard += bytes
            guard heard.count > ChildProcess.longestLine else { return true }
            (heard, searched) = ([], 0)
            return false
        }
    }

    /// Starts `program` with `arguments` in its own process group. The child inherits none of this process's open files
    /// except `passed`, which becomes descriptor 3 of the child; −1 passes none.
    ///
    /// - Throws: an error if the system refuses.
    package init(_ program: String, _ arguments: [String], passing passed: Int32 = -1) throws(ProcessError) {
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var started = prc_child()
        let code = prc_start_child(&words, passed, &started)
        guard code == 0 else { throw ProcessError(program: program, reason: String(cString: strerror(code))) }
        child = started
    }

    deinit {
        stop()
        for descriptor in [child.lifeline, child.output, child.words] { close(descriptor) }
    }

    /// Creates an anonymous file in memory that can be passed to a child. The file grows as it is written. Returns the
    /// descriptor, which the caller must close.
    ///
    /// - Throws: an error if the system refuses.
    package static func makeMemory() throws(ProcessError) -> Int32 {
        let descriptor = prc_make_memory()
        guard descriptor >= 0 else {
            throw ProcessError(program: "a file in memory", reason: String(cString: strerror(errno)))
        }
        return descriptor
    }

    /// Returns the next line, or the end of the child, or `silent` after `seconds` without output. Time for which the
    /// child's first thread waited for a processor is not counted, but the wait lasts at most twenty times `seconds`.
    package func next(within seconds: Double) -> Event {
        let task = "\(child.process)"
        var (waited, left, patience) = (ProcessorQueue.seconds(of: task), seconds, 20 * seconds)
        while true {
            if let event = hearing.withLock({ $0.next() }) { return event }
            var ready = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
            let count = poll(&ready, 1, Int32(Int(clamping: left * 1000, .towardZero, to: 0...1_000_000)))
            if count == 0 {
                patience -= left
                let now = ProcessorQueue.seconds(of: task)
                // The wait is extended by the time for which the child waited for a processor meanwhile. If that is at
                // most a twentieth of `seconds`, the wait ends.
                left = min(left, now - waited, patience)
                waited = now
                guard left > seconds / 20 else { return .silent }
                continue
            }
            if count < 0, errno == EINTR { continue }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let length = read(child.output, &chunk, chunk.count)
            if length > 0 {
                let came = chunk[..<length]
                if !hearing.withLock({ $0.add(came) }) { stop() }
            } else if length == 0 || errno != EINTR {
                // A child that closed its output but does not end counts as hanging.
                guard reap(within: seconds) else { return .silent }
            }
        }
    }

    /// Writes a line, which must not contain a newline, to the child's standard input. Returns false if the child has
    /// gone, if the line does not fit into the socket within `seconds`, or if an earlier line was sent only in part.
    /// One thread at a time may write; another may read at the same time.
    package func say(_ line: String, within seconds: Double) -> Bool {
        guard !isCutShort.load(ordering: .relaxed) else { return false }
        var bytes = Array((line + "\n").utf8)[...]
        var rounds = Int(clamping: seconds * 1000, .towardZero, to: 0...100_000_000)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { [child] bytes in
                withUnsafePointer(to: child) { prc_say_to_child($0, bytes.baseAddress, bytes.count) }
            }
            guard count >= 0 else { return false }
            bytes = bytes.dropFirst(count)
            if count == 0 {
                guard rounds > 0 else {
                    isCutShort.store(bytes.count <= line.utf8.count, ordering: .relaxed)
                    return false
                }
                rounds -= 1
                usleep(1000)
            }
        }
        return true
    }

    /// Kills the child's process group: the child, and those of its children that did not leave the group. Has no
    /// effect after the child's end.
    package func stop() {
        guard hearing.withLock({ $0.end == nil }) else { return }
        kill(-child.process, SIGKILL)
        reap(options: 0)
    }

    /// The last 20 lines that the child wrote to standard error since it last called `ParentLine.begin`, or since its
    /// start if it never did.
    package var words: [String] { WordsFile.lines(of: child.words) }

    /// Waits for the end of the child, in steps of 10 ms. Returns false if it has not ended in time.
    private func reap(within seconds: Double) -> Bool {
        for _ in 0...Int(clamping: seconds * 100, .towardZero, to: 0...100_000_000) {
            if reap(options: WNOHANG) { return true }
            usleep(10_000)
        }
        return false
    }

    @discardableResult private func reap(options: Int32) -> Bool {
        var status: Int32 = 0
        var found = waitpid(child.process, &status, options)
        while found < 0, errno == EINTR { found = waitpid(child.process, &status, options) }
        guard found != 0 else { return false }
        // If the parent ignores SIGCHLD, the kernel keeps no status.
        guard found > 0 else {
            hearing.withLock { $0.end = .exited(status: -1) }
            return true
        }
        // wait(2): the low seven bits are the signal, the next byte is the status.
        let end: End = status & 0x7F == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
        hearing.withLock { $0.end = end }
        return true
    }
}

extension ChildProcess.End: CustomStringConvertible {
    /// Text such as "ended with status 3", "segmentation fault".
    package var description: String {
        switch self {
        case .exited(let status): status < 0 ? "ended with an unknown status" : "ended with status \(status)"
        case .killed(let signal): String(cString: strsignal(signal)).lowercased()
        }
    }

    /// Text such as "it ended with status 3", "signal 11 (segmentation fault) ended it".
    package var sentence: String {
        switch self {
        case .exited: "it \(self)"
        case .killed(let signal): "signal \(signal) (\(self)) ended it"
        }
    }
}
