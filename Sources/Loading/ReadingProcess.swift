import Gate
import Glibc
import Processes
import SOFA

/// How a process that reads files is started, and for how long it is wanted.
package struct ReadingCommand: Sendable {
    /// What is started, and its words before the request; it must run `ReadingChild`.
    package let program: String
    /// Its words before the request.
    package let words: [String]
    /// What a child may take.
    package let limits: ProcessLimits
    /// Whether what is read is still wanted; asked ten times per second.
    package let isWanted: @Sendable () -> Bool
}

/// One file and the process that reads it: what it says, for as long as it says something and is wanted.
///
/// One thread at a time, never the audio thread. The process ends with this object.
package final class ReadingProcess {
    private let child: ChildProcess
    private let memory: ReadingMemory
    private let path: String
    private let isWanted: @Sendable () -> Bool

    /// Seconds between looks at whether it is still wanted.
    private static let rhythm = 0.1

    /// Starts it.
    ///
    /// - Throws: `noReader`.
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

    /// What it says next that is no progress.
    ///
    /// - Parameters:
    ///   - seconds: how long it may say nothing while it does something.
    ///   - progress: told the share that is read, again and again, and may end the reading.
    /// - Throws: `cancelled`; `abandoned` where it ends, says nonsense, or nothing for too long.
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
                        path: path, reason: "it said nothing for \(Int(clamping: seconds, .up, to: 0...1_000_000)) s")
                }
            case .ended(let end):
                let words = child.words.last.map { " (it said: \($0))" } ?? ""
                throw .abandoned(path: path, reason: end.sentence + words)
            }
        }
    }

    /// Says something to it; what it does not take shows in what it says next.
    package func say(_ message: some Encodable) { _ = child.say(ChildMessage.line(message), within: 1) }

    /// The first so many elements that it put into memory.
    ///
    /// - Throws: `abandoned` where there are not as many.
    package func take<Element: BitwiseCopyable>(_ count: Int, of type: Element.Type) throws(SOFAError) -> [Element] {
        guard let elements = memory.read(count, of: type) else { throw nonsense }
        return elements
    }

    /// What it said is not to be understood.
    package var nonsense: SOFAError { .abandoned(path: path, reason: "what it handed over makes no sense") }
}
