/// Rows of text with columns as wide as what stands in them, the last as wide as it likes.
struct TextTable {
    private let widths: [Int]
    private let rows: [[String]]

    /// A table; every row has as many columns as the title.
    init(_ titles: [String], _ rows: [[String]]) {
        let all = [titles] + rows
        self.rows = all
        widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    }

    /// The lines.
    var lines: [String] {
        rows.map { row in
            let cells = zip(row, widths).dropLast().map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            return (cells + row.suffix(1)).joined(separator: "  ")
        }
    }

    /// Prints it.
    func print() { for line in lines { Swift.print(line) } }
}
