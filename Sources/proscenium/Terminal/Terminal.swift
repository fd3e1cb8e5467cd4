import Desk
@preconcurrency import Dispatch
import Foundation
import Session
import Synchronization

/// The terminal during playback: one status line, if standard error is a terminal; and keys, if the keyboard is one.
final class Terminal: Sendable {
    private let takes: @Sendable ([UInt8]) async -> Void
    private let line: @Sendable () async -> StatusLine?
    private let keyboard: Int32
    private let opened = Mutex(Opened())

    /// State between `open` and `close`.
    private struct Opened {
        var keys: Keys?
        /// The keyboard's settings before `open`.
        var before = termios()
        var ticks: (any DispatchSourceTimer)?
    }

    /// - Parameters:
    ///   - line: returns the status line, called ten times a second; nil leaves the line unchanged.
    ///   - keyboard: descriptor of the keyboard.
    ///   - takes: called with the keys' bytes, in order, one block after the other.
    init(
        line: @escaping @Sendable () async -> StatusLine?, keyboard: Int32 = 0,
        takes: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        self.line = line
        self.keyboard = keyboard
        self.takes = takes
    }

    /// Returns whether the keyboard is a terminal whose settings this process may change. The system stops a background
    /// process (`run &`) that changes its controlling terminal (SIGTTOU); a terminal that does not control this process
    /// (ENOTTY) may be changed.
    static func isOurs(_ keyboard: Int32) -> Bool {
        guard isatty(keyboard) == 1 else { return false }
        let foreground = tcgetpgrp(keyboard)
        return foreground == getpgrp() || (foreground < 0 && errno == ENOTTY)
    }

    /// Opens the keyboard and starts the status line.
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

    /// Prints permanent lines above the status line.
    static func tell(_ lines: [String]) {
        let clear = isatty(2) == 1 ? "\r\u{1B}[K" : ""
        LineOutput.standardError.write(clear + lines.joined(separator: "\n") + "\n")
    }

    /// Sends a key's command; prints the reason of a refusal.
    static func send(_ command: SessionCommand, to queue: CommandQueue) async {
        await send(firstOf: [command], to: queue)
    }

    /// Sends the commands in turn until one is accepted; prints the last reason if all are refused.
    static func send(firstOf commands: [SessionCommand], to queue: CommandQueue) async {
        var refusal: String?
        for command in commands {
            guard case .refused(let reason) = await queue.perform(command) else { return }
            refusal = reason
        }
        if let refusal { tell([refusal]) }
    }

    /// Restores the keyboard's settings and clears the line.
    func close() {
        let (keys, settings) = opened.withLock { ($0.keys, $0.before) }
        if let keys {
            keys.cancel()
            var before = settings
            // A process that is now in the background leaves the terminal's settings to the shell.
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
