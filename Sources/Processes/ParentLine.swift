import Foundation
import Signal

/// Resource limits of a child.
package struct ProcessLimits: Hashable, Sendable, Codable {
    /// Largest size of a file, bytes. A write past it fails.
    package var fileBytes = 1 << 28
    /// Largest size of the memory including all mappings, bytes. An allocation that exceeds it fails, which ends the
    /// child. Nil sets no limit.
    package var memoryBytes: Int?
    /// Greatest processor time of all threads together, seconds. A signal ends the child that exceeds it. Nil sets no
    /// limit.
    package var processorSeconds: Int?

    /// Creates limits. By default only files are limited.
    package init(fileBytes: Int = 1 << 28, memoryBytes: Int? = nil, processorSeconds: Int? = nil) {
        self.fileBytes = fileBytes
        self.memoryBytes = memoryBytes
        self.processorSeconds = processorSeconds
    }

    /// Applies the limits to this process permanently, and disables core files.
    fileprivate func impose() {
        let all = [
            (RLIMIT_CORE, 0), (RLIMIT_FSIZE, fileBytes), (RLIMIT_AS, memoryBytes), (RLIMIT_CPU, processorSeconds),
        ]
        for (resource, value) in all {
            guard let value else { continue }
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            setrlimit(__rlimit_resource_t(UInt32(resource.rawValue)), &limit)
        }
    }
}

/// The child's end of the connection to its parent, the counterpart of `ChildProcess`. Each line is written completely
/// and immediately. Output of plugins goes to standard error.
package struct ParentLine: Sendable {
    private let output: Int32

    /// Redirects standard output to standard error. Call it once, before plugins or other foreign code are loaded.
    ///
    /// A child started by `ChildProcess` also ends with its parent, leaves no core file, and is subject to `limits`. A
    /// process started from a terminal keeps its settings. A separate thread calls `hear` with each line of standard
    /// input, without the newline, and ends the process when standard input ends. If `hear` is nil, a child ignores the
    /// lines, and other processes do not read them.
    package init(_ limits: ProcessLimits = ProcessLimits(), hear: (@Sendable (String) -> Void)? = nil) {
        output = fcntl(1, F_DUPFD_CLOEXEC, 3)
        dup2(2, 1)
        let isChild = WordsFile.isOne(2)
        if isChild {
            limits.impose()
            signal(SIGXFSZ, SIG_IGN)
        }
        guard isChild || hear != nil else { return }
        do throws(WorkerError) {
            try Worker.detach("parent line") {
                Self.listen(hear ?? { _ in })
                _exit(1)
            }
        } catch {
            // A child that cannot read from its parent would not notice the parent's end, so it ends now.
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            _exit(1)
        }
    }

    /// Calls `hear` with each line of standard input until the input ends.
    private static func listen(_ hear: (String) -> Void) {
        var (heard, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = read(0, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var rest = chunk[..<count]
            while let end = rest.firstIndex(of: 10) {
                hear(String(decoding: heard + rest[..<end], as: UTF8.self))
                heard = []
                rest = rest[(end + 1)...]
            }
            heard += rest
        }
    }

    /// Writes a line, which must not contain a newline. Ends the process if the parent has ended.
    package func say(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // The parent has ended.
            guard count > 0 else { _exit(1) }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Clears standard error, before a new task.
    package func begin() { WordsFile.clear(2) }

    /// Clears standard error if it has grown above 1 MiB.
    package func trim() { if WordsFile.length(2) > 1 << 20 { begin() } }

    /// The last 20 lines on standard error since `begin`; empty if standard error is not an anonymous file.
    package var words: [String] { WordsFile.lines(of: 2) }

    /// Ends the process immediately, without the exit handlers of loaded code.
    package func end() -> Never { _exit(0) }
}
