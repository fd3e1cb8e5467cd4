import Gate

/// Takes the lines of `pw-dump`, and returns each array of objects when it is complete.
///
/// An array begins with a line `[` and ends with a line `]`. Even without `--monitor`, `pw-dump` writes a second array
/// if an object changes meanwhile.
struct DumpLines {
    /// Lines of the array that has begun; empty between two arrays.
    private var lines: [String] = []
    private var bytes = 0

    /// Whether an array has begun and is not complete.
    var isWithin: Bool { !lines.isEmpty }

    /// Takes a line. Returns the array that this line completes. Nil if it completes none, or if the array cannot be
    /// parsed.
    mutating func take(_ line: String) -> JSONValue? {
        if line == "[" { (lines, bytes) = ([], 0) }
        bytes += line.utf8.count
        // An array that exceeds `JSONBounds.graph` is discarded.
        guard bytes < JSONBounds.graph.bytes else {
            lines = []
            return nil
        }
        lines.append(line)
        guard line == "]" else { return nil }
        defer { lines = [] }
        return JSONValue(parsing: lines.joined(separator: "\n"), within: .graph)
    }
}
