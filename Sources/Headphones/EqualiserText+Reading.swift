/// Parsing of texts.
extension EqualiserText {
    /// Largest size of a text, bytes. AutoEq's longest texts have some kilobytes.
    package static let mostBytes = 1 << 20
    /// Largest number of filters of one ear.
    package static let mostFilters = 128

    /// Parses a text with or without a byte order mark, with lines that end with LF, CRLF or CR, in upper or lower
    /// case.
    ///
    /// - Parameter name: name of the file, for errors.
    /// - Throws: `line` with its number if a filter, curve, preamp or path cannot be read, so that an incomplete curve
    ///   is never played. `notAnEqualiser` if the text is too long, contains a zero byte, is a table of measurements,
    ///   has no line of an equaliser, or has more than `mostFilters` filters for one ear.
    package init(_ text: String, name: String) throws(HeadphonesError) {
        guard text.utf8.count <= Self.mostBytes, !text.utf8.contains(0) else {
            throw .notAnEqualiser(name, "is not a text of an equaliser; expected lines like 'Filter 1: ON PK Fc …'")
        }
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        if let head = lines.first?.lowercased(), head.contains("frequency,") {
            throw .notAnEqualiser(
                name, "is a table of measurements; take the 'ParametricEQ.txt' or 'GraphicEQ.txt' beside it")
        }
        var (ears, known) = (Ears.both, false)
        for (index, line) in lines.enumerated() {
            var isText = false
            guard let line = EqualiserLine(line, number: index + 1, name: name, isText: &isText) else {
                if isText { remark(index + 1, "is no line of an equaliser and was left out") }
                continue
            }
            known = try take(line, &ears) || known
        }
        guard known else {
            throw .notAnEqualiser(
                name, "has no line of an equaliser in it; expected 'Preamp:', 'Filter:', 'GraphicEQ:' or 'Convolution:'"
            )
        }
        for ear in 0..<2 where filters.count(where: { $0.ears.contains(ear: ear) }) > Self.mostFilters {
            throw .notAnEqualiser(name, "has more than \(Self.mostFilters) filters for one ear")
        }
    }

    private mutating func remark(_ line: Int, _ text: String) { remarks.append("line \(line) \(text)") }

    /// Applies a line, unless the last `Channel:` line names no ear. Returns false if the line would be applied and its
    /// command is unknown.
    private mutating func take(_ line: EqualiserLine, _ ears: inout Ears) throws(HeadphonesError) -> Bool {
        if !ears.isDisjoint(with: .both) || line.command == "channel" {
            switch line.command {
            case "preamp":
                let words = line.words
                let gain = try line.number(words.first, of: "Preamp")
                guard (-120...60).contains(gain) else { throw line.error("Preamp is \(gain) dB; expected -120 to 60") }
                for ear in 0..<2 where ears.contains(ear: ear) { preamp[ear] += gain }
                hasPreamp = true
            case "channel": ears = self.ears(line)
            case "filter": try takeFilter(line, ears)
            case "graphiceq": graphics.append(Graphic(curve: try Self.curve(line), ears: ears))
            case "convolution":
                // Quotation marks are no part of the name. An apostrophe within the name is kept.
                let named = line.rest.filter { $0 != "\"" }
                let isQuoted = named.count > 1 && named.first == "'" && named.last == "'"
                let path = isQuoted ? String(named.dropFirst().dropLast()) : named
                guard !path.isEmpty else { throw line.error("Convolution names no file") }
                responses.append(Response(path: path, ears: ears, line: line.number))
            default:
                remark(line.number, "('\(line.command):') is not known here and was left out")
                return false
            }
        }
        return true
    }

    /// Returns the ears of a `Channel:` line; the set is empty if it names only other channels.
    private mutating func ears(_ line: EqualiserLine) -> Ears {
        var ears: Ears = []
        for word in line.words {
            switch word {
            case "all": ears = .both
            case "l", "1", "left": ears.insert(.left)
            case "r", "2", "right": ears.insert(.right)
            default: remark(line.number, "names channel '\(word)', which headphones do not have")
            }
        }
        if ears.isEmpty { remark(line.number, "names no ear: what follows is left out until the next 'Channel:'") }
        return ears
    }

    /// Returns the curve of a `GraphicEQ:` line: `20 -0.5; 21 -0.5; …`.
    private static func curve(_ line: EqualiserLine) throws(HeadphonesError) -> GainCurve {
        var points: [(hertz: Double, decibels: Double)] = []
        for pair in line.rest.split(separator: ";") {
            let words = pair.split { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }.map(String.init)
            if words.isEmpty { continue }
            guard words.count == 2 else {
                throw line.error("a point is '\(pair)'; expected a frequency and a gain, like '100 -2.5'")
            }
            let hertz = try line.number(words[0], of: "a frequency")
            let gain = try line.number(words[1], of: "a gain")
            guard hertz > 0, hertz <= 1_000_000, (-200...60).contains(gain) else {
                throw line.error("a point is '\(pair)'; expected hertz above 0 and a gain of -200 to 60 dB")
            }
            points.append((hertz, gain))
        }
        guard let curve = GainCurve(points) else { throw line.error("GraphicEQ has no points") }
        return curve
    }
}
