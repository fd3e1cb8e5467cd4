import Foundation
import Glibc

/// The whole screen of a terminal, from `open` to `close`, which restores the former content. May be used by one thread
/// at a time.
final class FullScreen {
    private let keyboard: Int32, output: Int32
    private var before = termios()
    private var isOpen = false, hasKeyboard = false
    private var shown: [String] = []
    private var size = (columns: 0, rows: 0)

    /// Creates the screen for the terminal at these descriptors; `open` starts its use.
    init(keyboard: Int32 = 0, output: Int32 = 1) { (self.keyboard, self.output) = (keyboard, output) }

    /// Switches to the alternate screen, as editors do, and has the keyboard deliver single keys without echo.
    func open() {
        isOpen = true
        if Terminal.isOurs(keyboard), tcgetattr(keyboard, &before) == 0 {
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Ctrl-Z is off: it would stop the program without restoring the screen.
            withUnsafeMutablePointer(to: &raw.c_cc) { characters in
                characters.withMemoryRebound(to: cc_t.self, capacity: Int(NCCS)) { $0[Int(VSUSP)] = 0 }
            }
            hasKeyboard = tcsetattr(keyboard, TCSANOW, &raw) == 0
        }
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
    }

    /// Columns and rows of the terminal; 80 × 24 if unknown.
    var measures: (columns: Int, rows: Int) {
        var found = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &found) == 0, found.ws_col > 0, found.ws_row > 0 else { return (80, 24) }
        return (Int(found.ws_col), Int(found.ws_row))
    }

    /// Shows rows from the top; writes only rows that have changed.
    func show(_ rows: [TextRow], _ style: TerminalStyle) {
        guard isOpen else { return }
        let now = measures
        var told = ""
        if now != size {
            (size, shown) = (now, [])
            told += "\u{1B}[2J"
        }
        let texts = rows.prefix(now.rows).map { $0.text(style) }
        for (row, text) in texts.enumerated() where row >= shown.count || shown[row] != text {
            told += "\u{1B}[\(row + 1);1H\(text)\u{1B}[K"
        }
        if texts.count < shown.count { told += "\u{1B}[\(texts.count + 1);1H\u{1B}[J" }
        shown = texts
        if !told.isEmpty { write(told) }
    }

    /// Restores the screen and the keyboard. A second call has no effect.
    func close() {
        guard isOpen else { return }
        isOpen = false
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        if hasKeyboard, Terminal.isOurs(keyboard) { tcsetattr(keyboard, TCSANOW, &before) }
    }

    deinit { close() }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR && errno != EAGAIN { return }
        }
    }
}
