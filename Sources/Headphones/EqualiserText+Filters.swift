/// Parsing of `Filter:` lines.
extension EqualiserText {
    /// Returns the filter type of a word; nil for an unknown word. `isCorner`: whether the frequency of a shelf is its
    /// corner.
    private static func kind(_ word: String) -> (kind: EqualiserFilter.Kind, isCorner: Bool)? {
        switch word {
        case "pk", "peq", "modal": (.peak, false)
        case "ls": (.lowShelf, true)
        case "lsc": (.lowShelf, false)
        case "hs": (.highShelf, true)
        case "hsc": (.highShelf, false)
        case "lp", "lpq": (.lowPass, false)
        case "hp", "hpq": (.highPass, false)
        case "bp": (.bandPass, false)
        case "no": (.notch, false)
        case "ap": (.allPass, false)
        default: nil
        }
    }

    /// Parameters in a filter's line, apart from the type.
    private struct Facts {
        var hertz: Double?, gain: Double?, quality: Double?, octaves: Double?, slope: Double?
        /// Words that have no known meaning.
        var others: [String] = []

        init(_ words: ArraySlice<String>, _ line: EqualiserLine) throws(HeadphonesError) {
            var left = words
            while let word = left.popFirst() {
                switch word {
                case "fc":
                    let first = left.popFirst()
                    // Some locales separate thousands by a space.
                    if let first, let next = left.first, next.utf8.count == 3, next.allSatisfy(\.isNumber) {
                        throw line.error("Fc '\(first) \(next)' is two numbers; write it without a space")
                    }
                    hertz = try line.frequency(first)
                case "gain": gain = try line.number(left.popFirst(), of: "Gain")
                case "q": quality = try line.number(left.popFirst(), of: "Q")
                case "bw":
                    guard left.popFirst() == "oct" else { throw line.error("BW is given in octaves: 'BW Oct 0.5'") }
                    octaves = try line.number(left.popFirst(), of: "BW Oct")
                case "hz", "db": break
                default:
                    // A number in dB without a keyword is the slope of a shelf. T60 begins a note of Room EQ Wizard
                    // about a mode; the rest of the line is ignored.
                    if left.first == "db" {
                        slope = try line.number(word, of: "the slope")
                    } else if word == "t60" {
                        left = []
                    } else {
                        others.append(word)
                    }
                }
            }
        }
    }

    /// Adds the line's filter, unless it is off or has no type (`ON`, `ON None`).
    mutating func takeFilter(_ line: EqualiserLine, _ ears: Ears) throws(HeadphonesError) {
        let words = line.words
        guard let state = words.first, ["on", "off"].contains(state) else {
            throw line.error("a filter begins with ON or OFF, not '\(words.first ?? "")'")
        }
        guard state == "on" else { return }
        guard words.count > 1, words[1] != "none" else { return }
        guard let (kind, isCorner) = Self.kind(words[1]) else {
            throw line.error(
                "there is no filter '\(words[1].uppercased())' here; there are PK, LS, LSC, HS, HSC, LP, LPQ, HP, HPQ, BP, "
                    + "NO and AP")
        }
        let facts = try Facts(words.dropFirst(2), line)
        guard let hertz = facts.hertz else { throw line.error("the filter has no Fc") }
        let gain = facts.gain ?? 0
        guard (-60...60).contains(gain) else { throw line.error("Gain is \(gain) dB; expected -60 to 60") }
        if kind.hasGain, facts.gain == nil { throw line.error("the filter has no Gain") }
        if !facts.others.isEmpty {
            remarks.append("line \(line.number): '\(facts.others.joined(separator: " "))' means nothing here")
        }
        let (width, byCorner) = try width(kind, isCorner, facts, line)
        filters.append(
            EqualiserFilter(
                kind, hertz: hertz, gain: kind.hasGain ? gain : 0, width: width, isCorner: byCorner, ears: ears))
    }

    /// Returns the filter's width, and whether the line's frequency is a corner. A line without a width gets the
    /// default of Equalizer APO for the type. Peaks and all-passes have no default: their line must have a width.
    private mutating func width(
        _ kind: EqualiserFilter.Kind, _ isCorner: Bool, _ facts: Facts, _ line: EqualiserLine
    ) throws(HeadphonesError) -> (EqualiserFilter.Width, isCorner: Bool) {
        if let quality = facts.quality {
            guard (0.01...1000).contains(quality) else { throw line.error("Q is \(quality); expected 0.01 to 1000") }
            if isCorner {
                // Until 2023 AutoEq wrote LS and HS with a Q when LSC and HSC were meant.
                let name = kind == .lowShelf ? "LS" : "HS"
                remarks.append("line \(line.number): \(name) with a Q is taken as \(name)C, whose Fc is its middle")
            }
            return (.quality(quality), false)
        }
        if let octaves = facts.octaves {
            guard (0.01...10).contains(octaves) else { throw line.error("BW Oct is \(octaves); expected 0.01 to 10") }
            guard !kind.isShelf else { throw line.error("a shelf has a Q or a slope in dB, not octaves") }
            return (.octaves(octaves), false)
        }
        if let slope = facts.slope, kind.isShelf {
            guard (1...12).contains(slope) else { throw line.error("the slope is \(slope) dB; expected 1 to 12") }
            return (.slope(slope / 12), isCorner)
        }
        if facts.slope != nil {
            remarks.append("line \(line.number): a slope means nothing for this filter")
        }
        switch kind {
        case .peak, .allPass: throw line.error("the filter has neither Q nor BW Oct")
        case .lowPass, .highPass, .bandPass: return (.quality(0.5.squareRoot()), false)
        case .notch: return (.quality(30), false)
        case .lowShelf, .highShelf: return (.slope(0.9), false)
        }
    }
}
