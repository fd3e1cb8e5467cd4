import Soundstage

/// Two renditions of the main programme and the look-ahead over all inputs, in the words of the command line.
package struct RenditionSettings: Sendable, Hashable {
    /// Whether two more ports take the main programme in stereo.
    package var hasStereo: Bool
    /// Seconds of look-ahead in which sound that breaks off is faded before its end.
    package var hold: Double
    /// Seconds in reserve to meet a stereo rendition that comes later; counts only with two renditions.
    package var alignment: Double

    /// Seconds in reserve unless chosen otherwise.
    package static let usualAlignment = 0.02

    /// All choices.
    package init(hasStereo: Bool = false, hold: Double = 0, alignment: Double = RenditionSettings.usualAlignment) {
        self.hasStereo = hasStereo
        self.hold = hold
        self.alignment = alignment
    }

    /// The latency every programme is given, so that all keep time with each other.
    var handOver: HandOver { HandOver(hold: hold, alignment: hasStereo ? alignment : 0) }

    /// Whether anything was asked for.
    var isPlain: Bool { !hasStereo && hold == 0 }

    /// Reads a duration: `20ms`, `0.02s`, or a number of milliseconds; nil unless 0 to 500 ms.
    package static func seconds(parsing text: String) -> Double? {
        var (number, unit) = (text[...], 1e-3)
        if text.hasSuffix("ms") {
            number = text.dropLast(2)
        } else if text.hasSuffix("s") {
            (number, unit) = (text.dropLast(), 1)
        }
        guard let value = Double(number), (0...HandOver.most).contains(value * unit) else { return nil }
        return value * unit
    }
}
