import Glibc
import Signal

/// Test of a sound field's convention, by the level of Y, Z and X relative to W.
///
/// In a sum of uncorrelated plane waves, from one direction or many, Y, Z and X together have the power of W in SN3D,
/// twice that power in Furse-Malham, and three times that power in N3D. This holds at all frequencies. The test
/// therefore requires the same result in every octave with sound, 250 Hz to 4 kHz. Near sources, walls and wind raise
/// Y, Z and X relative to W only in some octaves.
///
/// A field of several waves along one line, such as a stereo pair encoded at ±90°, gives no result, because its W may
/// be arbitrarily low.
package struct FieldScale: Sendable {
    /// Minimum duration that must be analysed before a fault is reported, seconds.
    package static let patience = 5.0
    /// Edges of octaves, hertz.
    private static let edges = [250.0, 500, 1000, 2000, 4000]
    /// Limits of the levels' deviations, dB. A convention is reported if all octaves deviate from it by less than
    /// `fits`, and from the stated convention by more than `fails`.
    private static let (fits, fails) = (0.9, 1.5)
    /// Length of a section over which the intensity is measured, seconds.
    private static let stretch = 0.04

    /// Filters and decaying sums of one octave.
    private struct Octave: Sendable {
        /// Bandpass filters of the first four channels, `[channel][section]`.
        var sections: [[SecondOrderFilter]]
        /// Power of W, and power of each other channel.
        var pressure = 0.0, velocity = SIMD3<Double>()
        /// Power of W that is correlated with the other channels.
        var intensity = 0.0

        /// Level of the other channels together, relative to W, dB.
        var decibels: Double { 10 * log10(max(1e-30, velocity.sum()) / max(1e-30, pressure)) }
        /// Whether most of the power of Y, Z and X is in one of them, although the field is not one wave.
        var isLine: Bool { velocity.max() > 0.7 * velocity.sum() && intensity < 0.5 * pressure }
    }

    /// The stated convention.
    package let said: AmbisonicFormat.Convention
    private let sampleRate: Double
    private let patience: Double
    private var octaves: [Octave]
    private var seconds = 0.0

    /// Makes a test of a field of first order or higher with the stated convention `said`. A `patience` shorter than
    /// the default makes the result less reliable.
    package init(_ said: AmbisonicFormat.Convention, sampleRate: SampleRate, patience: Double = Self.patience) {
        self.said = said
        self.sampleRate = sampleRate.hertz
        self.patience = patience
        octaves = zip(Self.edges, Self.edges.dropFirst()).map { low, high in
            let band = SecondOrderFilter.band(from: low, to: high, sampleRate: sampleRate)
            return Octave(sections: [[SecondOrderFilter]](repeating: band, count: 4))
        }
    }

    /// Analyses `frames` frames of the first four channels. W is the first channel in every convention. Cost: 32 filter
    /// sections per frame.
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
        // The sums decay with a time constant of 30 s.
        let keep = exp(-Double(count) / sampleRate / 30)
        octaves[octave].pressure = keep * octaves[octave].pressure + pressure
        octaves[octave].velocity = keep * octaves[octave].velocity + velocity
        octaves[octave].intensity =
            keep * octaves[octave].intensity + (products * products).sum() / max(1e-30, velocity.sum())
    }

    /// Convention that fits although the stated one does not. Nil if the stated one may be right, if no convention
    /// fits, or if the sound gives no result: it is too short, too quiet, in fewer than two octaves, or along one line.
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

    /// Returns the level of Y, Z and X together, relative to W, in a convention, dB.
    private static func level(_ convention: AmbisonicFormat.Convention) -> Double {
        switch convention {
        case .sn3d: 0
        case .fuma: 3.01
        case .n3d: 4.77
        }
    }

    /// Returns `found`, but nil for Furse-Malham above order 3, where it is not defined.
    package func found(order: Int) -> AmbisonicFormat.Convention? {
        found.flatMap { $0 == .fuma && order > 3 ? nil : $0 }
    }
}
