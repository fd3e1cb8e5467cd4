/// What a take's file name says: the loudspeakers in the order of their sweeps, and the yaw of the head.
///
/// Loudspeakers are separated by commas, as Impulcifer names its recordings: `FL,FR.wav`. `X` stands for a sweep that
/// is left out. Digits behind the names are the yaw in degrees, positive to the left: `FL,FR_-30.wav`.
package struct TakeFileName: Hashable, Sendable {
    /// Names of the loudspeakers; nil for a sweep that is left out.
    package let loudspeakers: [String?]
    /// Yaw of the head, degrees, −360…360.
    package let yaw: Double

    /// Reads a name without its extension; nil for a name of another form.
    package init?(_ name: String) {
        let names = name.prefix { $0.isASCII && ($0.isLetter || $0 == ",") }
        let words = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty }) else { return nil }
        let rest = name[names.endIndex...].drop { $0 == "_" || $0 == " " }
        guard rest.isEmpty || rest.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ".") }) else {
            return nil
        }
        guard let yaw = rest.isEmpty ? 0 : Double(rest), abs(yaw) <= 360 else { return nil }
        loudspeakers = words.map { $0.uppercased() == "X" ? nil : $0.uppercased() }
        self.yaw = yaw
    }

    /// Returns the yaw behind the last `_` of a name whose loudspeakers a plan gives: `left_30`; 0 without one, nil for
    /// more than 360°.
    package static func yaw(in name: String) -> Double? {
        guard let mark = name.lastIndex(of: "_") else { return 0 }
        let rest = name[name.index(after: mark)...]
        guard !rest.isEmpty, rest.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-" || $0 == ".") }),
            let yaw = Double(rest)
        else { return 0 }
        return abs(yaw) <= 360 ? yaw : nil
    }
}
