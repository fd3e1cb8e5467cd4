import CPlugins

/// Checks a Turtle file (a text that describes a bundle). lilv's own reader is called directly, because lilv does not
/// report faults to its callers.
enum TurtleFile {
    /// Returns the reason why a file cannot be read, or its first fault with line and column; nil for a valid file.
    static func fault(of path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if let fault = TurtleGuard.fault(of: path) { return "\(name) \(fault)" }
        let read = check(path)
        if read.line < 0 { return "\(name) cannot be read" }
        return read.line == 0 ? nil : "\(name), line \(read.line), column \(read.column): \(read.text)"
    }

    /// Returns the number of statements up to the first fault.
    static func statements(of path: String) -> Int { check(path).statements }

    private static func check(_ path: String) -> (line: Int, column: Int, text: String, statements: Int) {
        var (column, statements): (Int32, Int) = (0, 0)
        var text = [CChar](repeating: 0, count: 256)
        let line = prc_check_turtle(path, &column, &text, text.count, &statements)
        let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (Int(line), Int(column), words, statements)
    }
}
