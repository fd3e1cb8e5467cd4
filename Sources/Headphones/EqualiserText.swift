/// What a text of Equalizer APO or AutoEq says, line by line: filters, curves and responses for each ear.
///
/// Lines act as in Equalizer APO: `Channel:` says for which ears those behind it are, `Preamp:` lines add up, all else
/// is in series. What it is not, its graphical editor's and its devices' lines, is told in `remarks`.
package struct EqualiserText: Hashable, Sendable {
    /// A curve of a `GraphicEQ:` line.
    package struct Graphic: Hashable, Sendable {
        /// Gain over frequency.
        package var curve: GainCurve
        /// Whom it is for.
        package var ears: Ears
    }

    /// A sound file of a `Convolution:` line.
    package struct Response: Hashable, Sendable {
        /// As it is named.
        package var path: String
        /// Whom it is for.
        package var ears: Ears
        /// The line that names it, from 1.
        package var line: Int
    }

    /// The sum of all `Preamp:` lines in dB, left and right.
    package var preamp: [Double] = [0, 0]
    /// Whether there is such a line.
    package var hasPreamp = false
    /// Filters that are on, in order.
    package var filters: [EqualiserFilter] = []
    /// Curves, in order.
    package var graphics: [Graphic] = []
    /// Sound files, in order.
    package var responses: [Response] = []
    /// What was not taken as it stands, a sentence each, with its line's number.
    package var remarks: [String] = []

    /// Whether nothing is done to the sound.
    package var isEmpty: Bool { filters.isEmpty && graphics.isEmpty && responses.isEmpty && preamp == [0, 0] }
}
