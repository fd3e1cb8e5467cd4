import Signal

/// A high-pass against wind and handling noise: Butterworth of fourth order, the same on all inputs and before
/// encoding, so that directions stay.
///
/// Not for the audio thread, though nothing in `process` allocates. Cost: two sections per sample.
package struct WindFilter {
    /// Valid cutoff frequencies, hertz.
    package static let frequencies = 20.0...400
    /// Filter sections, `[channel][section]`.
    private var sections: [[SecondOrderFilter]]

    /// Creates a filter at rest with its −3 dB point at `hertz`.
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
