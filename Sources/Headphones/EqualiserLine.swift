import Glibc

/// Words and numbers of one line of an equaliser's text.
struct EqualiserLine {
    /// Number of the line, from 1.
    let number: Int
    /// Name of the file.
    let name: String
    /// Words before the colon in lower case, without whole numbers.
    let command: String
    /// Text after the colon, without white space at its ends.
    let rest: String

    /// Parses a line. Returns nil for an empty line, a comment (`#`, `;` or `//`), or a line without a colon. A line
    /// without a colon also sets `isText`.
    init?(_ line: Substring, number: Int, name: String, isText: inout Bool) {
        let text = Self.trimmed(line)
        guard !text.isEmpty, text.first != "#", text.first != ";", !text.hasPrefix("//") else { return nil }
        guard let colon = text.firstIndex(of: ":") else {
            isText = true
            return nil
        }
        self.number = number
        self.name = name
        // "Filter 12" becomes "filter", because the number is only a count.
        command = Self.trimmed(text[..<colon]).lowercased().split(separator: " ").filter { Int($0) == nil }
            .joined(separator: " ")
        rest = String(Self.trimmed(text[text.index(after: colon)...]))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let blank: Set<Character> = [" ", "\t", "\u{A0}", "\u{FEFF}", "\r", "\n", "\r\n"]
        var text = text
        while let first = text.first, blank.contains(first) { text.removeFirst() }
        while let last = text.last, blank.contains(last) { text.removeLast() }
        return text
    }

    /// Words after the colon in lower case. A unit that is attached to its number becomes a separate word.
    var words: [String] {
        rest.lowercased().split { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }.flatMap { word -> [String] in
            for unit in ["hz", "db"] where word.hasSuffix(unit) && word.count > unit.count {
                return [String(word.dropLast(unit.count)), unit]
            }
            return [String(word)]
        }
    }

    /// Returns an error about this line.
    func error(_ reason: String) -> HeadphonesError { .line(number, of: name, reason) }

    /// Parses a finite number with a point or a comma as decimal separator. Errors call the number `what`.
    func number(_ word: String?, of what: String) throws(HeadphonesError) -> Double {
        guard let word, !word.isEmpty else { throw error("\(what) has no number") }
        let text = word.replacing(",", with: ".")
        guard let value = Double(text), value.isFinite, text.allSatisfy({ $0.isNumber || "+-.eE".contains($0) }) else {
            throw error("\(what) is '\(word)', which is not a number; write it like 1500 or 0.71")
        }
        return value
    }

    /// Parses a frequency in hertz, 1 Hz to 1 MHz. In some countries Room EQ Wizard writes 1000 as 1.000 or 1,000. A
    /// number up to 24 with three digits after the separator is therefore refused: it may mean thousands of hertz.
    func frequency(_ word: String?) throws(HeadphonesError) -> Double {
        let value = try number(word, of: "Fc")
        if let word, value <= 24, let separator = word.lastIndex(where: { $0 == "." || $0 == "," }),
            word.distance(from: separator, to: word.endIndex) == 4, !word.contains("e")
        {
            throw error("Fc '\(word)' may be \(word) Hz or thousands of it; write it without a separator")
        }
        guard value >= 1, value <= 1_000_000 else { throw error("Fc is \(word ?? "") Hz; expected 1 to 1000000") }
        return value
    }
}
