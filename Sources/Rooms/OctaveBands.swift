import Glibc

/// The seven octaves of room descriptions, 125 Hz to 8 kHz (nominal centres of IEC 61260).
package enum OctaveBands {
    /// Centre frequencies, hertz.
    package static let centres: [Double] = [125, 250, 500, 1000, 2000, 4000, 8000]

    /// Returns the amplitude weights of all bands at a frequency in hertz. They sum to 1, so that the bands of a signal
    /// sum to the signal. Neighbours cross as cos² and sin² between their centres; the outermost bands extend to 0 Hz
    /// and to the highest frequency.
    static func weights(at frequency: Double) -> [Double] {
        let place = log2(max(1e-3, frequency) / centres[0])
        let last = centres.count - 1
        var weights = [Double](repeating: 0, count: centres.count)
        let lower = max(0, min(last, Int(place.rounded(.down))))
        let along = max(0, min(1, place - Double(lower)))
        let share = cos(along * .pi / 2)
        weights[lower] = lower < last ? share * share : 1
        if lower < last { weights[lower + 1] = 1 - share * share }
        return weights
    }

    /// Returns the amplitude weight of an octave filter for a band: 1 at the centre, half the power at the edges, 0
    /// beyond the neighbouring centres. The outermost bands have this shape too.
    static func octaveWeight(_ band: Int, at frequency: Double) -> Double {
        let away = abs(log2(max(1e-3, frequency) / centres[band]))
        return away < 1 ? cos(away * .pi / 2) : 0
    }

    /// Interpolates one value per band: linearly in log frequency between the centres, constant beyond them.
    static func curve(_ values: [Double], at frequency: Double) -> Double {
        let place = max(0, min(Double(centres.count - 1), log2(max(1e-3, frequency) / centres[0])))
        let lower = min(centres.count - 2, Int(place))
        let along = place - Double(lower)
        return values[lower] + along * (values[lower + 1] - values[lower])
    }
}
