import Glibc

/// Decay times of a tail's bands, chosen so that octave filters measure the required reverberation times.
///
/// An octave filter also passes half of each neighbouring octave, and the end of the measured decay is that of the
/// slowest octave. If the required times differ between octaves, bands with exactly these decay times would be measured
/// as too long. The decay times are therefore found by fixed-point iteration on the energy decay curves, which are
/// known in closed form.
struct TailDecay {
    /// Decay times of the bands of `OctaveBands.weights`, seconds.
    let times: [Double]

    /// Finds decay times for which `OctaveBands.octaveWeight` measures `wanted` seconds (T30), to about 1 %.
    init(_ wanted: [Double]) {
        let shares = wanted.indices.map(TailDecay.shares)
        var times = wanted
        for _ in 0..<12 {
            let measured = wanted.indices.map { TailDecay.measured(shares[$0], times) ?? wanted[$0] }
            // The decay times are limited to 60…160 % of the required ones.
            for band in times.indices {
                let next = times[band] * wanted[band] / measured[band]
                times[band] = max(0.6 * wanted[band], min(1.6 * wanted[band], next))
            }
        }
        self.times = times
    }

    /// Returns the joint energy of pairs of bands of white noise in a measured octave: `(band, band, energy)`.
    private static func shares(_ octave: Int) -> [(Int, Int, Double)] {
        let bands = max(0, octave - 1)...min(OctaveBands.centres.count - 1, octave + 1)
        var found: [(Int, Int, Double)] = []
        for first in bands {
            for second in bands where abs(first - second) < 2 {
                var energy = 0.0
                for step in -100...100 {
                    let frequency = OctaveBands.centres[octave] * exp2(Double(step) / 100)
                    let weights = OctaveBands.weights(at: frequency)
                    let heard = OctaveBands.octaveWeight(octave, at: frequency)
                    energy += frequency * heard * heard * weights[first] * weights[second]
                }
                found.append((first, second, energy))
            }
        }
        return found
    }

    /// Returns the T30, seconds, that is measured in an octave if the bands have these decay times; nil if there is
    /// none.
    private static func measured(_ shares: [(Int, Int, Double)], _ times: [Double]) -> Double? {
        let rate = 500.0
        let longest = times.max() ?? 1
        let curve = (0..<Int(longest * rate)).map { step in
            shares.reduce(0.0) { sum, share in
                let fall = 3 * log(10) * (1 / times[share.0] + 1 / times[share.1])
                return sum + share.2 / fall * exp(-fall * Double(step) / rate)
            }
        }
        return RoomMeasures.reverberationTime(curve.map { 10 * log10($0 / curve[0]) }, sampleRate: rate)
    }
}
