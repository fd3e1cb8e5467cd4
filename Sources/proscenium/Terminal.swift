@preconcurrency import Dispatch
import Foundation

/// The terminal while something plays: one line of its state, and keys. Does nothing where no terminal is attached.
final class Terminal: @unchecked Sendable {
    // Sound as @unchecked: opened and closed by one task; the sources' handlers only read the two closures.
    private let takes: @Sendable ([UInt8]) async -> Void
    private let line: @Sendable () async -> String?
    private var keys: (any DispatchSourceRead)?
    private var ticks: (any DispatchSourceTimer)?
    private var before = termios()

    /// - Parameters:
    ///   - line: the state, asked for ten times a second; nil leaves what is shown.
    ///   - takes: is told the bytes that keys send.
    init(line: @escaping @Sendable () async -> String?, takes: @escaping @Sendable ([UInt8]) async -> Void) {
        self.line = line
        self.takes = takes
    }

    /// Takes the keyboard and begins to show the state.
    func open() {
        let (line, takes) = (self.line, self.takes)
        if isatty(0) == 1 {
            tcgetattr(0, &before)
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(0, TCSANOW, &raw)
            let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
            source.setEventHandler {
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = read(0, &bytes, bytes.count)
                guard count > 0 else { return }
                let pressed = Array(bytes[..<count])
                Task { await takes(pressed) }
            }
            source.resume()
            keys = source
        }
        if isatty(2) == 1 {
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: .now() + 0.2, repeating: 0.1)
            timer.setEventHandler {
                Task {
                    guard let line = await line() else { return }
                    FileHandle.standardError.write(Data("\r\(line)\u{1B}[K".utf8))
                }
            }
            timer.resume()
            ticks = timer
        }
    }

    /// Gives the keyboard back and clears the line.
    func close() {
        if let keys {
            keys.cancel()
            tcsetattr(0, TCSANOW, &before)
        }
        if let ticks {
            ticks.cancel()
            FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
        }
    }
}
