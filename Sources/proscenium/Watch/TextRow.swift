/// Row of a terminal, made of parts, each with or without an ink. A character counts as one column.
struct TextRow: Sendable, Equatable {
    private var parts: [(text: String, ink: TerminalStyle.Ink?)] = []

    /// Width of the row, columns.
    var width: Int { parts.reduce(0) { $0 + $1.text.count } }

    /// Creates a row of one part.
    init(_ text: String = "", _ ink: TerminalStyle.Ink? = nil) { add(text, ink) }

    /// Appends a part; an empty one adds nothing.
    mutating func add(_ text: String, _ ink: TerminalStyle.Ink? = nil) {
        if !text.isEmpty { parts.append((text, ink)) }
    }

    /// Appends a row.
    mutating func add(_ row: TextRow) { parts += row.parts }

    /// Appends a row from `column` on, after spaces if needed; cuts the present content there.
    mutating func add(_ row: TextRow, at column: Int) {
        self = cut(to: column)
        add(String(repeating: " ", count: max(0, column - width)))
        parts += row.parts
    }

    /// Returns the first columns of the row.
    func cut(to columns: Int) -> TextRow {
        var cut = TextRow()
        for (text, ink) in parts {
            let left = columns - cut.width
            guard left > 0 else { break }
            cut.add(String(text.prefix(left)), ink)
        }
        return cut
    }

    /// Returns the row with each part's text converted by `words`.
    func mapped(_ words: (String) -> String) -> TextRow {
        var row = TextRow()
        for (text, ink) in parts { row.add(words(text), ink) }
        return row
    }

    /// Returns the row's text with the terminal's codes.
    func text(_ style: TerminalStyle) -> String {
        parts.map { style.ink($0.text, $0.ink) }.joined()
    }

    static func == (one: TextRow, other: TextRow) -> Bool {
        one.parts.elementsEqual(other.parts) { $0.text == $1.text && $0.ink == $1.ink }
    }
}
