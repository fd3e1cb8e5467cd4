import Signal

/// High-pass filter against wind and handling noise: a fourth-order Butterworth filter. It is the same on all inputs
/// and precedes the encoding, so that directions are kept.
///
/// Must not be used on the audio thread, although `process` does not allocate memory. Cost: two filter sections per
/// sample.
package struct WindFilter {
    /// Valid cutoff frequencies, Hz.
    package static let frequencies = 20.0...400
    /// Filter sections, `[channel][section]`.
    private var sections: [[SecondOrderFilter]]

    /// Creates a filter at rest with its −3 dB point at `hertz`, Hz.
    package init(channels: Int, hertz: Double, sampleRate: SampleRate) {
        sections = (0..<channels).map { _ in
            SecondOrderSection.butterworth4.map {
                SecondOrderFilter(SecondOrderSection(highPass: hertz, quality: $0, sampleRate: sampleRate.hertz))
            }
        }
    }

    /// Filters the first `frames` frames of a block, in place.
    package mutating func process(_ block: borrowing PlanarBlock, frames: Int) {
        for channel in sections.indices {
            let row = block[channel]
            for i in 0..<frames {
                var value = Double(row[i])
                for section in sections[channel].indices { value = sections[channel][section](value) }
                row[i] = Float(value)
            }
        }
    }
}
