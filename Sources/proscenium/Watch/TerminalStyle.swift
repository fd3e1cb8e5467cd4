import Glibc

/// Capabilities of a terminal: characters beyond ASCII, and colours.
struct TerminalStyle: Sendable, Equatable {
    /// Emphasis of text; the raw value is the terminal's code (SGR).
    enum Ink: Int, Sendable {
        case bold = 1
        case faint = 2
        case bad = 31
        case good = 32
        case warn = 33
    }

    var isUnicode = true
    var isColoured = true

    /// Creates a style.
    init(isUnicode: Bool = true, isColoured: Bool = true) {
        (self.isUnicode, self.isColoured) = (isUnicode, isColoured)
    }

    /// Reads the environment: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides on characters beyond
    /// ASCII. No colours if `NO_COLOR` is set and not empty, or `TERM` is `dumb`, empty or missing.
    init(_ environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        isUnicode = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColoured = !isPlain && !["", "dumb"].contains(environment["TERM"] ?? "")
    }

    /// Returns a text in an ink; unchanged without an ink or without colours.
    func ink(_ text: String, _ ink: Ink?) -> String {
        guard isColoured, let ink else { return text }
        return "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m"
    }

    /// Returns a text for this terminal: on an ASCII terminal other characters become similar ones, or `?`.
    func plain(_ text: String) -> String {
        guard !isUnicode else { return text }
        let like: [Character: String] = [
            "·": "-", "°": "deg", "−": "-", "–": "-", "…": "...", "µ": "u", "×": "x", "∞": "inf", "ø": "o", "→": ">",
        ]
        return String(text.flatMap { $0.isASCII ? String($0) : like[$0] ?? "?" })
    }
}
