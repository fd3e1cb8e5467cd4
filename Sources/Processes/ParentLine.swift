import Foundation
import Signal

/// What a child may take of the machine.
package struct ProcessLimits: Hashable, Sendable, Codable {
    /// The longest file it may write, bytes: a write beyond it fails.
    package var fileBytes = 1 << 28
    /// Memory it may have, bytes, all that is mapped included: what asks for more gets none, and ends it. nil:
    /// no limit.
    package var memoryBytes: Int?
    /// Seconds of processor time on all its threads; what takes more is ended by a signal. nil: no limit.
    package var processorSeconds: Int?

    /// Limits; those not given are none, but that of files.
    package init(fileBytes: Int = 1 << 28, memoryBytes: Int? = nil, processorSeconds: Int? = nil) {
        self.fileBytes = fileBytes
        self.memoryBytes = memoryBytes
        self.processorSeconds = processorSeconds
    }

    /// Puts them on this process, for good, and that it leaves no core file.
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

/// What a child says to its parent: the far end of `ChildProcess`. Lines go out whole and at once; what plugins
/// print goes to standard error.
package struct ParentLine: Sendable {
    private let output: Int32

    /// Takes over the process's standard output. Once, before any code of others is loaded.
    ///
    /// A child started by `ChildProcess` also ends when its parent does, leaves no core file, and keeps within
    /// `limits`; one that a person starts keeps the person's settings. `hear` is handed each line of
    /// standard input, without its end, on a thread of its own, which ends the process at the last; nil:
    /// there are none.
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
            // A child that does not hear its parent would outlive it.
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            _exit(1)
        }
    }

    /// Hands on each line of standard input until its end.
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

    /// Says a line; it must have no line break.
    package func say(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // The listener is gone.
            guard count > 0 else { _exit(1) }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Forgets what was written on standard error: something new begins.
    package func begin() { WordsFile.clear(2) }

    /// The same where so much was written that it is a burden.
    package func trim() { if WordsFile.length(2) > 1 << 20 { begin() } }

    /// The lines written on standard error since `begin`: the last 20; none where a person reads them.
    package var words: [String] { WordsFile.lines(of: 2) }

    /// Ends the process at once, without the last acts of code that was loaded.
    package func end() -> Never { _exit(0) }
}
