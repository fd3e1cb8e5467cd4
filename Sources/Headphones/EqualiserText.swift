/// Content of a text of Equalizer APO or AutoEq: filters, curves and responses for each ear.
///
/// Lines have the same effect as in Equalizer APO: `Channel:` selects the ears of the following lines, `Preamp:` lines
/// add up, and all other lines act in series. Lines for Equalizer APO's graphical editor and for devices are not
/// supported; `remarks` lists them.
package struct EqualiserText: Hashable, Sendable {
    /// A curve of a `GraphicEQ:` line.
    package struct Graphic: Hashable, Sendable {
        /// Gain over frequency.
        package var curve: GainCurve
        /// Ears to which the curve applies.
        package var ears: Ears
    }

    /// A sound file named in a `Convolution:` line.
    package struct Response: Hashable, Sendable {
        /// Path as written in the line.
        package var path: String
        /// Ears to which the response applies.
        package var ears: Ears
        /// Number of the line, from 1.
        package var line: Int
    }

    /// Sum of all `Preamp:` lines, dB, left and right.
    package var preamp: [Double] = [0, 0]
    /// Whether the text has a `Preamp:` line.
    package var hasPreamp = false
    /// Filters that are on, in the order of the text.
    package var filters: [EqualiserFilter] = []
    /// Curves, in the order of the text.
    package var graphics: [Graphic] = []
    /// Sound files, in the order of the text.
    package var responses: [Response] = []
    /// Lines that were ignored or changed, one sentence each, with the line's number.
    package var remarks: [String] = []

    /// Whether the text has no filters, curves or responses, and its gains are 0 dB.
    package var isEmpty: Bool { filters.isEmpty && graphics.isEmpty && responses.isEmpty && preamp == [0, 0] }
}
