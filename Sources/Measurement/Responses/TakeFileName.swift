/// Content of a take's file name: the loudspeakers in the order of their sweeps, and the yaw of the head.
///
/// Loudspeakers are separated by commas, as Impulcifer names its recordings: `FL,FR.wav`. `X` stands for a sweep that
/// is left out. A number after the names is the yaw in degrees, positive to the left: `FL,FR_-30.wav`.
package struct TakeFileName: Hashable, Sendable {
    /// Names of the loudspeakers; nil for a sweep that is left out.
    package let loudspeakers: [String?]
    /// Yaw of the head, degrees, −360…360.
    package let yaw: Double

    /// Reads a file name without its extension. Its loudspeakers are those of a layout, whose names may contain digits
    /// and letters of either case.
    ///
    /// Of several loudspeakers' names that fit, the longest is used; of names that differ only in case, the one in the
    /// case of the file name. A name that ends in a digit does not fit before another digit.
    ///
    /// - Returns: nil for a name with other loudspeakers, or of another form.
    package init?(_ name: String, of known: [String]) {
        var rest = name[...]
        var found: [String?] = []
        repeat {
            if !found.isEmpty { rest = rest.dropFirst() }
            let fitting = known.filter { Self.begins(rest, with: $0) }
            let longest = fitting.filter { $0.count == fitting.lazy.map(\.count).max() }
            let symbol = longest.first { rest.hasPrefix($0) } ?? longest.first
            guard let word = symbol ?? (Self.begins(rest, with: "X") ? "X" : nil) else { return nil }
            found.append(symbol)
            rest = rest.dropFirst(word.count)
        } while rest.first == ","
        guard let yaw = Self.yaw(behind: rest) else { return nil }
        (loudspeakers, self.yaw) = (found, yaw)
    }

    /// Returns whether a text begins with a loudspeaker's name, in either case, and not with a longer word.
    private static func begins(_ text: Substring, with symbol: String) -> Bool {
        guard !symbol.isEmpty, text.prefix(symbol.count).lowercased() == symbol.lowercased() else { return false }
        guard let next = text.dropFirst(symbol.count).first else { return true }
        return ",_ -.".contains(next) || next.isNumber && symbol.last?.isNumber == false
    }

    /// Returns the yaw after the loudspeakers' names, degrees; 0 if nothing follows the names, nil for other text or a
    /// yaw beyond ±360°.
    private static func yaw(behind text: Substring) -> Double? {
        let rest = text.drop { $0 == "_" || $0 == " " }
        guard !rest.isEmpty else { return 0 }
        guard rest.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ".") }), let yaw = Double(rest),
            abs(yaw) <= 360
        else { return nil }
        return yaw
    }

    /// Reads a file name without its extension, with any loudspeakers whose names are letters; nil for a name of
    /// another form.
    package init?(_ name: String) {
        let names = name.prefix { $0.isASCII && ($0.isLetter || $0 == ",") }
        let words = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty }) else { return nil }
        guard let yaw = Self.yaw(behind: name[names.endIndex...]) else { return nil }
        loudspeakers = words.map { $0.uppercased() == "X" ? nil : $0.uppercased() }
        self.yaw = yaw
    }

    /// Returns the yaw after the last `_` of a take's name, as in `look_30`; 0 for a name without digits. For takes
    /// whose loudspeakers are known from a plan, so that the name does not state them.
    ///
    /// - Returns: nil for digits elsewhere, as in the name of a take that was set aside (`look_30_bad`), and for more
    ///   than 360°.
    package static func yaw(in name: String) -> Double? {
        let rest = name.lastIndex(of: "_").map { name[name.index(after: $0)...] } ?? ""
        if rest.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ".") }), let yaw = Double(rest) {
            return abs(yaw) <= 360 ? yaw : nil
        }
        return name.contains(where: \.isNumber) ? nil : 0
    }
}
