import Gate

/// Takes the lines of `pw-dump`, and returns each array of objects when it is complete.
///
/// An array begins with a line `[` and ends with a line `]`. Also without `--monitor`, `pw-dump` writes a second array
/// if an object changes in between.
struct DumpLines {
    /// Lines of the array that has begun; empty between two.
    private var lines: [String] = []
    private var bytes = 0

    /// Whether an array has begun and is not complete.
    var isWithin: Bool { !lines.isEmpty }

    /// Takes a line. Returns the array that it completes; nil if it completes none, or one that cannot be read.
    mutating func take(_ line: String) -> JSONValue? {
        if line == "[" { (lines, bytes) = ([], 0) }
        bytes += line.utf8.count
        // A text that is too long for a graph is not kept.
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
