/// A row of a terminal, made of parts that may be inked; it knows how many columns it takes.
struct TextRow: Sendable, Equatable {
    private var parts: [(text: String, ink: TerminalStyle.Ink?)] = []

    /// Columns it takes.
    var width: Int { parts.reduce(0) { $0 + $1.text.count } }

    /// A row of one part.
    init(_ text: String = "", _ ink: TerminalStyle.Ink? = nil) { add(text, ink) }

    /// Appends at the right.
    mutating func add(_ text: String, _ ink: TerminalStyle.Ink? = nil) {
        if !text.isEmpty { parts.append((text, ink)) }
    }

    /// Appends a row at a column, with blanks before it; what is there already beyond the column is cut.
    mutating func add(_ row: TextRow, at column: Int) {
        self = cut(to: column)
        add(String(repeating: " ", count: max(0, column - width)))
        parts += row.parts
    }

    /// The first so many columns.
    func cut(to columns: Int) -> TextRow {
        var cut = TextRow()
        for (text, ink) in parts {
            let left = columns - cut.width
            guard left > 0 else { break }
            cut.add(String(text.prefix(left)), ink)
        }
        return cut
    }

    /// The same row with each part's text put in other words.
    func mapped(_ words: (String) -> String) -> TextRow {
        var row = TextRow()
        for (text, ink) in parts { row.add(words(text), ink) }
        return row
    }

    /// As it is sent to a terminal.
    func text(_ style: TerminalStyle) -> String {
        parts.map { style.ink($0.text, $0.ink) }.joined()
    }

    static func == (one: TextRow, other: TextRow) -> Bool {
        one.parts.elementsEqual(other.parts) { $0.text == $1.text && $0.ink == $1.ink }
    }
}
