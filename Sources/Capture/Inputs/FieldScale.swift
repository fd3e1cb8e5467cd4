import Glibc
import Signal
import Soundstage

/// Whether a sound field has the scale that was said, by how loud Y, Z and X are against W.
///
/// In a sum of plane waves that know nothing of each other, from one direction or from all, Y, Z and X together have
/// the power of W in SN3D, twice that in Furse-Malham and three times in N3D, at all frequencies. That is looked for in
/// each octave from 250 Hz to 4 kHz that sounds: near sources, walls and wind have more velocity than pressure in some
/// octaves, and not in all. Fields along one line that no single wave makes, as of a stereo pair put into a field, are
/// left alone: there W may be as soft as one likes.
package struct FieldScale: Sendable {
    /// Seconds before anything is told.
    package static let patience = 5.0
    /// Edges of octaves, hertz.
    private static let edges = [250.0, 500, 1000, 2000, 4000]
    /// Decibels that every octave may be off what is found, and must be off what was said.
    private static let (fits, fails) = (0.9, 1.5)
    /// Seconds of a stretch in which it is looked whether one wave sounds.
    private static let stretch = 0.04

    /// What is known of an octave.
    private struct Octave: Sendable {
        /// `[channel][section]`.
        var sections: [[SecondOrderFilter]]
        /// Powers of W, and of each of the others.
        var pressure = 0.0, velocity = SIMD3<Double>()
        /// Power of W that is in phase with the others.
        var intensity = 0.0

        /// Decibels of the others together over W.
        var decibels: Double { 10 * log10(max(1e-30, velocity.sum()) / max(1e-30, pressure)) }
        /// Whether what it hears lies along one line, without being a wave.
        var isLine: Bool { velocity.max() > 0.7 * velocity.sum() && intensity < 0.5 * pressure }
    }

    private let said: AmbisonicFormat.Convention
    private let sampleRate: Double
    private let patience: Double
    private var octaves: [Octave]
    private var seconds = 0.0

    /// For a field of first order or higher that is said to be in a convention; what is told after less than `patience`
    /// seconds is told of little.
    package init(_ said: AmbisonicFormat.Convention, sampleRate: SampleRate, patience: Double = Self.patience) {
        self.said = said
        self.sampleRate = sampleRate.hertz
        self.patience = patience
        octaves = zip(Self.edges, Self.edges.dropFirst()).map { low, high in
            let band = SecondOrderFilter.band(from: low, to: high, sampleRate: sampleRate)
            return Octave(sections: [[SecondOrderFilter]](repeating: band, count: 4))
        }
    }

    /// Hears `frames` frames of the first four channels. W is the first in every convention.
    /// Cost: 32 sections per frame.
    package mutating func process(_ block: borrowing PlanarBlock, frames: Int) {
        let length = max(1, Int(Self.stretch * sampleRate))
        var done = 0
        while done < frames {
            let count = min(length, frames - done)
            for octave in octaves.indices { hear(block, octave, done, count) }
            done += count
        }
        seconds += Double(frames) / sampleRate
    }

    private mutating func hear(_ block: borrowing PlanarBlock, _ octave: Int, _ first: Int, _ count: Int) {
        var w = [Double](repeating: 0, count: count)
        var (pressure, velocity, products) = (0.0, SIMD3<Double>(), SIMD3<Double>())
        for channel in 0..<4 {
            let row = block[channel] + first
            var (high, low) = (octaves[octave].sections[channel][0], octaves[octave].sections[channel][1])
            var (power, product) = (0.0, 0.0)
            for i in 0..<count {
                let value = low(high(Double(row[i])))
                power += value * value
                if channel == 0 { w[i] = value } else { product += value * w[i] }
            }
            octaves[octave].sections[channel] = [high, low]
            if channel == 0 {
                pressure = power
            } else {
                (velocity[channel - 1], products[channel - 1]) = (power, product)
            }
        }
        // Half a minute is remembered.
        let keep = exp(-Double(count) / sampleRate / 30)
        octaves[octave].pressure = keep * octaves[octave].pressure + pressure
        octaves[octave].velocity = keep * octaves[octave].velocity + velocity
        octaves[octave].intensity =
            keep * octaves[octave].intensity + (products * products).sum() / max(1e-30, velocity.sum())
    }

    /// The convention that fits where the one that was said does not; nil where that one may be, or nothing fits.
    package var found: AmbisonicFormat.Convention? {
        let loudest = octaves.reduce(0) { max($0, $1.pressure) }
        guard seconds >= patience, loudest > 1e-9 else { return nil }
        let heard = octaves.filter { $0.pressure > 1e-4 * loudest }
        guard heard.count > 1, !heard.contains(where: \.isLine) else { return nil }
        return AmbisonicFormat.Convention.allCases.first { other in
            other != said
                && heard.allSatisfy {
                    abs($0.decibels - Self.level(other)) < Self.fits && abs($0.decibels - Self.level(said)) > Self.fails
                }
        }
    }

    /// Decibels of Y, Z and X together over W.
    private static func level(_ convention: AmbisonicFormat.Convention) -> Double {
        switch convention {
        case .sn3d: 0
        case .fuma: 3.01
        case .n3d: 4.77
        }
    }

    /// What is found of inputs, by the words of the command line.
    package var fault: InputFault? {
        found.map { .otherScale(found: Self.word($0), said: Self.word(said)) }
    }

    private static func word(_ convention: AmbisonicFormat.Convention) -> String {
        convention == .sn3d ? "ambix" : convention.rawValue
    }
}
