import Desk
@preconcurrency import Dispatch
import Foundation
import Session
import Synchronization

/// The terminal while something plays: one line of its state, and keys. Does nothing where no terminal is attached.
final class Terminal: Sendable {
    private let takes: @Sendable ([UInt8]) async -> Void
    private let line: @Sendable () async -> StatusLine?
    private let keyboard: Int32
    private let opened = Mutex(Opened())

    /// What there is between `open` and `close`.
    private struct Opened {
        var keys: Keys?
        /// The keyboard's settings before it was taken.
        var before = termios()
        var ticks: (any DispatchSourceTimer)?
    }

    /// - Parameters:
    ///   - line: the state, asked for ten times a second; nil leaves what is shown.
    ///   - keyboard: the descriptor that keys are read from.
    ///   - takes: is told the bytes that keys send, in order, one lot after the other.
    init(
        line: @escaping @Sendable () async -> StatusLine?, keyboard: Int32 = 0,
        takes: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        self.line = line
        self.keyboard = keyboard
        self.takes = takes
    }

    /// Whether the keyboard is a terminal that may be set: one in the background (`run &`) that touches the terminal it
    /// was started from is stopped by the system (SIGTTOU). Another session's terminal (ENOTTY) knows no background.
    static func isOurs(_ keyboard: Int32) -> Bool {
        guard isatty(keyboard) == 1 else { return false }
        let foreground = tcgetpgrp(keyboard)
        return foreground == getpgrp() || (foreground < 0 && errno == ENOTTY)
    }

    /// Takes the keyboard and begins to show the state.
    func open() {
        let line = self.line
        if Self.isOurs(keyboard) {
            var before = termios()
            tcgetattr(keyboard, &before)
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(keyboard, TCSANOW, &raw)
            let (keys, settings) = (Keys(of: keyboard, takes: takes), before)
            opened.withLock { ($0.keys, $0.before) = (keys, settings) }
        }
        guard isatty(2) == 1 else { return }
        opened.withLock { opened in
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: .now() + 0.2, repeating: 0.1)
            timer.setEventHandler {
                Task {
                    guard let line = await line()?.text(columns: StatusLine.columns - 1) else { return }
                    LineOutput.standardError.write("\r\(line)\u{1B}[K")
                }
            }
            timer.resume()
            opened.ticks = timer
        }
    }

    /// Prints lines that stay, above the one that shows the state.
    static func tell(_ lines: [String]) {
        let clear = isatty(2) == 1 ? "\r\u{1B}[K" : ""
        LineOutput.standardError.write(clear + lines.joined(separator: "\n") + "\n")
    }

    /// Sends what a key means, and says why where it is refused.
    static func send(_ command: SessionCommand, to queue: CommandQueue) async {
        await send(firstOf: [command], to: queue)
    }

    /// Does the first of these that is not refused; where all are, the last reason is told.
    static func send(firstOf commands: [SessionCommand], to queue: CommandQueue) async {
        var refusal: String?
        for command in commands {
            guard case .refused(let reason) = await queue.perform(command) else { return }
            refusal = reason
        }
        if let refusal { tell([refusal]) }
    }

    /// Gives the keyboard back and clears the line.
    func close() {
        let (keys, settings) = opened.withLock { ($0.keys, $0.before) }
        if let keys {
            keys.cancel()
            var before = settings
            // In the background by now, it is the shell's to set.
            if Self.isOurs(keyboard) { tcsetattr(keyboard, TCSANOW, &before) }
        }
        let wasShown = opened.withLock { opened in
            opened.ticks?.cancel()
            return opened.ticks != nil
        }
        if wasShown {
            LineOutput.standardError.write("\r\u{1B}[K")
        }
    }
}

/// What is read of a keyboard, in order, until it ends or is cancelled.
final class Keys: Sendable {
    private let source: any DispatchSourceRead
    /// Raised when the system has let go of the descriptor.
    private let released = DispatchSemaphore(value: 0)
    /// Hands on what was read; over when the keyboard is.
    let handing: Task<Void, Never>

    /// Reads from now on; `takes` is told what came, one lot after the other.
    init(of keyboard: Int32, takes: @escaping @Sendable ([UInt8]) async -> Void) {
        // No hand types faster than 256 lots are dealt with; what a pipe pours in beyond that is lost.
        let (pressed, pressing) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(256))
        let source = DispatchSource.makeReadSource(fileDescriptor: keyboard, queue: .global())
        self.source = source
        handing = Task { for await keys in pressed { await takes(keys) } }
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(keyboard, &bytes, bytes.count)
            if count > 0 {
                pressing.yield(Array(bytes[..<count]))
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                // The keyboard is gone: a source that is not cancelled would call for ever.
                source.cancel()
            }
        }
        source.setCancelHandler { [released] in
            pressing.finish()
            released.signal()
        }
        source.resume()
    }

    /// Reads no more. The descriptor may be closed afterwards: closed before, it might be another file's while it is
    /// still watched.
    func cancel() {
        source.cancel()
        if released.wait(timeout: .now() + 2) == .success { released.signal() }
    }
}
