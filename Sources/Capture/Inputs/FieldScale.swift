import Glibc
import Signal
import Soundstage

/// Whether a sound field that is ready has the scale that was said, by how loud W is.
///
/// In a sum of plane waves, from one direction or from all, Y, Z and X together have the power of W in SN3D, twice that in
/// Furse-Malham and three times in N3D. Order and scale go together in what is in use: W X Y Z is Furse-Malham's. Bands below
/// 200 Hz are left out, where near sounds and wind have more velocity than pressure.
package struct FieldScale: Sendable {
    /// Seconds before anything is told.
    package static let patience = 5.0
    private let said: AmbisonicFormat.Convention
    private let sampleRate: Double
    private var sections: [[SecondOrderSection]]
    private var pressure = 0.0
    private var velocity = 0.0
    private var seconds = 0.0

    /// For a field of first order that is said to be in a convention.
    package init(_ said: AmbisonicFormat.Convention, sampleRate: SampleRate) {
        self.said = said
        self.sampleRate = sampleRate.hertz
        sections = (0..<4).map { _ in
            [
                SecondOrderSection(highPass: 200, quality: 0.7071, sampleRate: sampleRate.hertz),
                SecondOrderSection(lowPass: 3000, quality: 0.7071, sampleRate: sampleRate.hertz),
            ]
        }
    }

    /// Hears `frames` frames of the four channels. W is the first in every convention.
    package mutating func process(_ block: borrowing PlanarBlock, frames: Int) {
        let span = Double(frames) / sampleRate
        // Half a minute is remembered.
        let keep = exp(-span / 30)
        (pressure, velocity) = (keep * pressure, keep * velocity)
        for channel in 0..<4 {
            let row = block[channel]
            var sum = 0.0
            for i in 0..<frames {
                var value = Double(row[i])
                for section in 0..<2 { value = sections[channel][section](value) }
                sum += value * value
            }
            if channel == 0 { pressure += sum } else { velocity += sum }
        }
        seconds += span
    }

    /// Decibels of Y, Z and X together over W.
    package var decibels: Double { 10 * log10(max(1e-30, velocity) / max(1e-30, pressure)) }

    /// The other convention, where that fits better.
    package var fault: InputFault? {
        guard seconds >= Self.patience, pressure > 1e-9 else { return nil }
        // 3.0 dB in Furse-Malham, 0 in SN3D; far beyond either it is something else, like wind.
        guard (-4.0...6).contains(decibels) else { return nil }
        switch said {
        case .sn3d where decibels > 2: return .otherScale(found: "fuma", said: "ambix")
        case .fuma where decibels < 1: return .otherScale(found: "ambix", said: "fuma")
        default: return nil
        }
    }
}
