/// What is done to both ears' sound for a pair of headphones, at any sample rate: gains, filters and curves in series.
///
/// Whatever it is read from, text, sound file or measured responses, only its magnitude is played, at minimum phase: no
/// headphone's equaliser adds latency.
package struct HeadphoneEqualiser: Hashable, Sendable {
    /// What it is read from.
    package enum Origin: String, Hashable, Sendable, Codable {
        /// A text of filters, of Equalizer APO or AutoEq.
        case parametric
        /// A text with a curve.
        case graphic
        /// A sound file to be convolved with.
        case convolution
        /// Measured responses of the headphones, of which it is the inverse.
        case inverse
    }

    /// The file's name.
    package var name: String
    /// What it is read from.
    package var origin: Origin
    /// dB of each ear, left and right, all `Preamp:` lines and own reductions added up.
    package var preamp: [Double]
    /// Filters, each for the ears it names.
    package var filters: [EqualiserFilter]
    /// Curves of each ear, left and right, in series.
    package var curves: [[GainCurve]]
    /// What was not taken as it stands, a sentence each.
    package var remarks: [String]

    /// One of these parts.
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

    /// What a text says. `response` reads a file that a `Convolution:` line names.
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

    /// A sound file that is convolved with as it is.
    package init(_ impulse: HeadphoneImpulse, name: String) {
        self.init(name: name, origin: .convolution, curves: impulse.curves.map { [$0] }, remarks: impulse.remarks)
    }

    /// Whether it changes nothing.
    package var isIdentity: Bool {
        preamp == [0, 0] && curves.allSatisfy(\.isEmpty)
            && filters.allSatisfy { $0.kind.hasGain && $0.gain == 0 || $0.ears.isEmpty }
    }
}
