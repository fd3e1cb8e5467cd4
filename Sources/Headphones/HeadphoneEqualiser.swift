/// Equaliser for a pair of headphones, independent of the sample rate: gains, filters and curves in series.
///
/// Only the magnitude of sound files and measured responses is used, with minimum phase, so that the equaliser adds no
/// latency.
package struct HeadphoneEqualiser: Hashable, Sendable {
    /// Source of an equaliser.
    package enum Origin: String, Hashable, Sendable, Codable {
        /// A text of Equalizer APO or AutoEq without curves and sound files.
        case parametric
        /// A text with a curve, but without sound files.
        case graphic
        /// A sound file for convolution, or a text that names one.
        case convolution
        /// Measured responses of the headphones, which were inverted.
        case inverse
    }

    /// Name of the file.
    package var name: String
    /// Source of the equaliser.
    package var origin: Origin
    /// Gain of the left and the right ear, dB: the sum of all `Preamp:` lines of a text; in an inverse, the largest
    /// boost with a negative sign; otherwise 0.
    package var preamp: [Double]
    /// Filters, each with its ears.
    package var filters: [EqualiserFilter]
    /// Curves of the left and the right ear, in series.
    package var curves: [[GainCurve]]
    /// Parts that were ignored or changed, one sentence each.
    package var remarks: [String]

    /// Creates an equaliser from its parts.
    package init(
        name: String, origin: Origin, preamp: [Double] = [0, 0], filters: [EqualiserFilter] = [],
        curves: [[GainCurve]] = [[], []], remarks: [String] = []
    ) {
        precondition(preamp.count == 2 && curves.count == 2, "an equaliser is for two ears")
        self.name = name
        self.origin = origin
        self.preamp = preamp
        self.filters = filters
        self.curves = curves
        self.remarks = remarks
    }

    /// Creates the equaliser of a text. `response` must return the response in the file of a `Convolution:` line.
    /// Throws the errors of `response`, and `implausible` if the preamps of an ear add up to less than −120 dB or more
    /// than 60 dB.
    package init(
        _ text: EqualiserText, name: String,
        response: (EqualiserText.Response) throws(HeadphonesError) -> HeadphoneImpulse
    ) throws(HeadphonesError) {
        self.init(
            name: name,
            origin: !text.responses.isEmpty ? .convolution : !text.graphics.isEmpty ? .graphic : .parametric,
            preamp: text.preamp, filters: text.filters, remarks: text.remarks)
        for graphic in text.graphics {
            for ear in 0..<2 where graphic.ears.contains(ear: ear) { curves[ear].append(graphic.curve) }
        }
        for named in text.responses {
            let impulse = try response(named)
            for ear in 0..<2 where named.ears.contains(ear: ear) { curves[ear].append(impulse.curves[ear]) }
            remarks += impulse.remarks.map { "line \(named.line): \($0)" }
        }
        for ear in 0..<2 where !(-120...60).contains(preamp[ear]) {
            throw .implausible(name, "its preamps come to \(preamp[ear]) dB; expected -120 to 60")
        }
    }

    /// Creates the equaliser of a sound file.
    package init(_ impulse: HeadphoneImpulse, name: String) {
        self.init(name: name, origin: .convolution, curves: impulse.curves.map { [$0] }, remarks: impulse.remarks)
    }

    /// Whether the gains are 0 dB, there are no curves, and no filter has an effect.
    package var isIdentity: Bool {
        preamp == [0, 0] && curves.allSatisfy(\.isEmpty)
            && filters.allSatisfy { $0.kind.hasGain && $0.gain == 0 || $0.ears.isEmpty }
    }
}
