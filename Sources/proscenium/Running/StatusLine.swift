import Foundation
import Gate

/// Line of a terminal, made of parts; the least important are left out if the terminal is narrow.
struct StatusLine {
    private var parts: [(text: String, weight: Int)] = []

    /// Appends a part; nil and an empty text are ignored. The part with the least `weight` is left out first; of
    /// several such parts, the last one.
    mutating func add(_ text: String?, weight: Int) {
        if let text, !text.isEmpty { parts.append((text, weight)) }
    }

    /// Returns the line, at most `columns` wide; a single part that is wider is cut.
    func text(columns: Int) -> String {
        var shown = parts
        while shown.count > 1, Self.width(shown.map(\.text)) > columns {
            let least = shown.map(\.weight).min() ?? 0
            shown.remove(at: shown.lastIndex { $0.weight == least } ?? 0)
        }
        return String(shown.map(\.text).joined(separator: Self.separator).prefix(max(0, columns)))
    }

    private static let separator = " | "

    private static func width(_ texts: [String]) -> Int {
        texts.reduce(0) { $0 + $1.count } + separator.count * (texts.count - 1)
    }

    /// Columns of the terminal on standard error; 80 if unknown.
    static var columns: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns one character for each level in dBFS: a dot up to −60, then a step each 7.5 dB, `!` above 0 (full
    /// scale).
    static func meters(_ peaks: some Sequence<Double>) -> String {
        let steps = Array("▁▂▃▄▅▆▇█")
        return String(
            peaks.map { peak -> Character in
                if peak > 0 { return "!" }
                guard peak > -60 else { return "·" }
                return steps[Int(clamping: (peak + 60) / 7.5, .down, to: 0...steps.count - 1)]
            })
    }
}
