import Gate
import Glibc
import Processes
import SOFA

/// Command and limits of a process that reads files.
package struct ReadingCommand: Sendable {
    /// Program to start; it must run `ReadingChild`.
    package let program: String
    /// Arguments before the request.
    package let words: [String]
    /// Resource limits of a child.
    package let limits: ProcessLimits
    /// Whether the result is still needed; polled at least ten times per second.
    package let isWanted: @Sendable () -> Bool
}

/// A child process that reads one file. It is ended by a timeout or a cancellation.
///
/// May be used by one thread at a time, never by the audio thread. The process ends when this object is released.
package final class ReadingProcess {
    private let child: ChildProcess
    private let memory: ReadingMemory
    private let path: String
    private let isWanted: @Sendable () -> Bool

    /// Seconds between two polls of `isWanted`.
    private static let rhythm = 0.1

    /// Starts the process.
    ///
    /// - Throws: `noReader` if the process cannot be started.
    package init(_ path: String, as content: ReadingTalk.Content, by command: ReadingCommand) throws(SOFAError) {
        let request = ChildMessage.line(ReadingTalk.Request(path: path, content: content, limits: command.limits))
        let memory: ReadingMemory
        do throws(ProcessError) {
            memory = ReadingMemory(descriptor: try ChildProcess.makeMemory())
        } catch {
            throw .noReader(path: path, reason: error.description)
        }
        do throws(ProcessError) {
            child = try ChildProcess(command.program, command.words + [request], passing: memory.descriptor)
        } catch {
            close(memory.descriptor)
            throw .noReader(path: path, reason: error.description)
        }
        (self.memory, self.path, isWanted) = (memory, path, command.isWanted)
    }

    deinit { close(memory.descriptor) }

    /// Returns the next message other than progress.
    ///
    /// - Parameters:
    ///   - seconds: timeout without a message while the child works.
    ///   - progress: receives the share read so far, and may cancel the reading.
    /// - Throws: `cancelled` if the result is no longer needed or `progress` returns false; `abandoned` if the child
    ///   exits, sends an invalid message, or times out.
    package func next(
        within seconds: Double, progress: ReadingProgress = { _ in true }
    ) throws(SOFAError) -> ReadingTalk.Reply {
        var (silence, share) = (0.0, 0.0)
        while true {
            guard isWanted(), progress(share) else {
                child.stop()
                throw .cancelled(path: path)
            }
            switch child.next(within: Self.rhythm) {
            case .line(let line):
                switch ChildMessage.read(ReadingTalk.Reply.self, line) {
                case .progress(let reached): (silence, share) = (0, max(share, min(1, reached)))
                case .some(let reply): return reply
                case nil:
                    child.stop()
                    throw nonsense
                }
            case .silent:
                silence += Self.rhythm
                guard silence < seconds else {
                    child.stop()
                    throw .abandoned(
                        path: path,
                        reason: "it sent no message for \(Int(clamping: seconds, .up, to: 0...1_000_000)) s")
                }
            case .ended(let end):
                let words = child.words.last.map { " (its message: \($0))" } ?? ""
                throw .abandoned(path: path, reason: end.sentence + words)
            }
        }
    }

    /// Sends a message to the child. A failure is reported by the next call of `next`.
    package func say(_ message: some Encodable) { _ = child.say(ChildMessage.line(message), within: 1) }

    /// Returns the first `count` elements that the child wrote into memory.
    ///
    /// - Throws: `abandoned` if there are fewer.
    package func take<Element: BitwiseCopyable>(_ count: Int, of type: Element.Type) throws(SOFAError) -> [Element] {
        guard let elements = memory.read(count, of: type) else { throw nonsense }
        return elements
    }

    /// Error for an invalid message from the child.
    package var nonsense: SOFAError { .abandoned(path: path, reason: "its result is invalid") }
}
