import CProcesses
import Gate
import Glibc
import Synchronization

/// Why no process could be started.
package struct ProcessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to be started or made.
    package let program: String
    /// The system's reason.
    package let reason: String

    /// What is wrong, and with what.
    package var description: String { "there is no process of its own to be had (\(program): \(reason))" }
}

/// A program of ours that runs beside this one so that what it does to itself costs only itself: it says lines on its
/// standard output, and may fall silent or die. Its far end is `ParentLine`. One thread hears it and ends it, another
/// may say lines meanwhile; never the audio thread.
package final class ChildProcess: Sendable {
    /// What became of a child.
    package enum End: Hashable, Sendable {
        /// It ended by itself, with this status.
        case exited(status: Int32)
        /// A signal ended it.
        case killed(signal: Int32)
    }

    /// What was heard of a child.
    package enum Event: Hashable, Sendable {
        /// A line, without its end.
        case line(String)
        /// Its last: it is no more.
        case ended(End)
        /// Nothing for as long as was waited.
        case silent
    }

    /// Its number and our ends of what joins us; its standard input is held open: when it closes, it ends, however this
    /// program ended.
    private let child: prc_child
    /// Bytes of a line at most: many times what the largest state of a plugin takes.
    private static let longestLine = 1 << 26
    private let hearing = Mutex(Hearing())

    /// What came and was not taken yet, and its end.
    private struct Hearing {
        var heard: [UInt8] = []
        var searched = 0
        var end: End?

        /// Takes the next line, or its end; nil where there is neither.
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

        /// Takes what came; false where it is longer than any line of ours, and forgotten.
        mutating func add(_ bytes: ArraySlice<UInt8>) -> Bool {
            heard += bytes
            guard heard.count > ChildProcess.longestLine else { return true }
            (heard, searched) = ([], 0)
            return false
        }
    }

    /// Starts `program` with `arguments`, in a process group of its own, with no file of ours open but `passed`, which
    /// it has as its descriptor 3; −1: none.
    ///
    /// - Throws: where the system refuses.
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

    /// Makes a file without a name, in memory, to be passed to a child; it grows as it is written. Its descriptor, to
    /// be closed.
    ///
    /// - Throws: where the system refuses.
    package static func makeMemory() throws(ProcessError) -> Int32 {
        let descriptor = prc_make_memory()
        guard descriptor >= 0 else {
            throw ProcessError(program: "a file in memory", reason: String(cString: strerror(errno)))
        }
        return descriptor
    }

    /// The next line, or its end; `silent` when nothing came for `seconds`, in which the time that it waited for a
    /// processor does not count; at most twenty times as long.
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
                // What it only waited is given back; a twentieth more or less is nothing.
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
                // What is said without an end is said by none of ours.
                if !hearing.withLock({ $0.add(came) }) { stop() }
            } else if length == 0 || errno != EINTR {
                // What hangs in its last words hangs nevertheless.
                guard reap(within: seconds) else { return .silent }
            }
        }
    }

    /// Says a line, without a line break in it, on its standard input; false where it does not take all of it within
    /// `seconds`. May be called while another thread hears it; one thread at a time.
    package func say(_ line: String, within seconds: Double) -> Bool {
        var bytes = Array((line + "\n").utf8)[...]
        var rounds = Int(clamping: seconds * 1000, .towardZero, to: 0...100_000_000)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { [child] bytes in
                withUnsafePointer(to: child) { prc_say_to_child($0, bytes.baseAddress, bytes.count) }
            }
            guard count >= 0 else { return false }
            bytes = bytes.dropFirst(count)
            if count == 0 {
                guard rounds > 0 else { return false }
                rounds -= 1
                usleep(1000)
            }
        }
        return true
    }

    /// Ends it, and all it started, at once. Nothing where it has ended.
    package func stop() {
        guard hearing.withLock({ $0.end == nil }) else { return }
        kill(-child.process, SIGKILL)
        reap(options: 0)
    }

    /// The lines that it, or the code it ran, wrote on standard error since it last began something: the last 20.
    package var words: [String] { WordsFile.lines(of: child.words) }

    /// Waits for its end, in steps of 10 ms; false where it did not come.
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
        // wait(2): the low seven bits are the signal, the next byte is the status.
        let end: End = status & 0x7F == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
        hearing.withLock { $0.end = end }
        return true
    }
}

extension ChildProcess.End: CustomStringConvertible {
    /// "ended with status 3", "segmentation fault".
    package var description: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): String(cString: strsignal(signal)).lowercased()
        }
    }

    /// "it ended with status 3", "signal 11 (segmentation fault) ended it".
    package var sentence: String {
        switch self {
        case .exited: "it \(self)"
        case .killed(let signal): "signal \(signal) (\(self)) ended it"
        }
    }
}
