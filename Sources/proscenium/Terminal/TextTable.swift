/// Text table: columns as wide as their widest entry, the last one without padding.
struct TextTable {
    private let widths: [Int]
    private let rows: [[String]]

    /// Creates a table; every row has as many columns as `titles`.
    init(_ titles: [String], _ rows: [[String]]) {
        let all = [titles] + rows
        self.rows = all
        widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    }

    /// The table as text, one line for each row.
    var lines: [String] {
        rows.map { row in
            let cells = zip(row, widths).dropLast().map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            return (cells + row.suffix(1)).joined(separator: "  ")
        }
    }

    /// Prints the table.
    func print() { for line in lines { Swift.print(line) } }
}
