import Glibc

/// What a terminal can show: characters beyond ASCII, and colours.
struct TerminalStyle: Sendable, Equatable {
    /// What stands out in a picture of text.
    enum Ink: Int, Sendable {
        case bold = 1
        case faint = 2
        case bad = 31
        case good = 32
        case warn = 33
    }

    var isUnicode = true
    var isColoured = true

    /// A style.
    init(isUnicode: Bool = true, isColoured: Bool = true) {
        (self.isUnicode, self.isColoured) = (isUnicode, isColoured)
    }

    /// What the environment says: characters by `LC_ALL`, `LC_CTYPE` and `LANG`, in this order; no colour where
    /// `NO_COLOR` is set or the terminal is a `dumb` one.
    init(_ environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        isUnicode = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isColoured = !isPlain && !["", "dumb"].contains(environment["TERM"] ?? "")
    }

    /// A text in an ink; as it is where there are no colours.
    func ink(_ text: String, _ ink: Ink?) -> String {
        guard isColoured, let ink else { return text }
        return "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m"
    }

    /// A text as this terminal can show it: what is beyond ASCII becomes something like it, or `?`.
    func plain(_ text: String) -> String {
        guard !isUnicode else { return text }
        let like: [Character: String] = [
            "·": "-", "°": "deg", "−": "-", "–": "-", "…": "...", "µ": "u", "×": "x", "∞": "inf", "ø": "o", "→": ">",
        ]
        return String(text.flatMap { $0.isASCII ? String($0) : like[$0] ?? "?" })
    }
}
