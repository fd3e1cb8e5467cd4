import Foundation
import Synchronization

/// Prints progress and time left on standard error, if a terminal is attached and the work takes over two seconds.
final class Progress: Sendable {
    private let what: String
    private let begun = Date()
    private let line = Mutex(Line())
    private let attached = isatty(2) == 1

    /// State of the progress line.
    private struct Line {
        var shown = Date.distantPast
        var isVisible = false
    }

    init(_ what: String) { self.what = what }

    /// Shows that `fraction` (0…1) is done.
    func show(_ fraction: Double) {
        let now = Date()
        let elapsed = now.timeIntervalSince(begun)
        guard attached, elapsed > 2, fraction > 0 else { return }
        let isDue = line.withLock { line in
            guard now.timeIntervalSince(line.shown) > 0.1 else { return false }
            line = Line(shown: now, isVisible: true)
            return true
        }
        guard isDue else { return }
        let left = elapsed / fraction * (1 - fraction)
        write(String(format: "\r%@: %3.0f %%, %@ left \u{1B}[K", what, fraction * 100, Self.text(left)))
    }

    /// Returns a callback for work: it shows the share done, and returns false once the user has requested the end.
    func until(_ interrupt: Interrupt) -> @Sendable (Double) -> Bool {
        { [self] fraction in
            show(fraction)
            return !interrupt.isRequested
        }
    }

    /// Clears the line.
    func finish() {
        if line.withLock(\.isVisible) { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { LineOutput.standardError.write(text) }

    private static func text(_ seconds: Double) -> String {
        let s = Int(seconds.rounded(.up))
        return s < 60 ? "\(s) s" : s < 3600 ? "\(s / 60) min \(s % 60) s" : "\(s / 3600) h \(s / 60 % 60) min"
    }
}
