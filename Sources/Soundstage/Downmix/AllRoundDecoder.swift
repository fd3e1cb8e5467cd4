import Geometry
import Glibc

/// Decodes a sound field for the loudspeakers of a layout, by all-round ambisonic decoding with max-rE weights.
///
/// The field is decoded for directions all over the sphere, and these directions are panned to the loudspeakers. Unlike
/// mode matching, this works for any layout. Loudness and localisation stay uniform with unevenly placed loudspeakers,
/// such as those of BS.2051. The output power for a plane wave is 1 on average over the sphere.
///
/// Source: Zotter & Frank, "All-round ambisonic panning and decoding", J. Audio Eng. Soc. 60, 2012, sections 3 and 4;
/// weights P_l(cos(137.9°/(N + 1.51))) for degree l and order N, eq. 10.
enum AllRoundDecoder {
    /// Returns the gains `[loudspeaker][channel]` for a field's channels in their own order and scale. LFE rows are 0.
    /// Returns nil for a layout without loudspeakers other than LFE. Takes some tens of milliseconds.
    static func matrix(of format: AmbisonicFormat, for layout: Layout) -> [[Double]]? {
        guard let panner = LoudspeakerPanner(layout) else { return nil }
        let count = format.channelCount
        let weights = maximumREWeights(order: format.order)
        // Panning gains are not smooth, so the grid is finer than the order requires.
        let grid = GaussGrid(exactTo: 60)
        let directions = grid.directions(in: Stage.self)
        let values = directions.map { SphericalHarmonics.values(order: format.order, $0) }
        var rows = [[Double]](repeating: [Double](repeating: 0, count: count), count: layout.channelCount)
        for ((direction, share), harmonics) in zip(zip(directions, grid.weights), values) {
            for (row, gain) in panner.gains(direction).enumerated() where gain > 0 {
                for acn in 0..<count {
                    let degree = SphericalHarmonics.degree(ofIndex: acn)
                    // The mean square of a harmonic in SN3D is 1/(2l + 1).
                    rows[row][acn] += share * gain * harmonics[acn] * weights[degree] * Double(2 * degree + 1)
                }
            }
        }
        var power = 0.0
        for (share, harmonics) in zip(grid.weights, values) {
            for row in rows {
                let sum = zip(row, harmonics).reduce(0) { $0 + $1.0 * $1.1 }
                power += share * sum * sum
            }
        }
        let level = 1 / power.squareRoot()
        return rows.map { row in
            (0..<count).map { channel in
                let (acn, gain) = format.place(ofChannel: channel)
                return row[acn] * gain * level
            }
        }
    }

    /// Returns the weights by degree that concentrate the energy most (max-rE): the Legendre polynomials of degree 0 to
    /// `order` at cos(137.9°/(order + 1.51)), close to the largest zero of the polynomial of degree `order` + 1.
    static func maximumREWeights(order: Int) -> [Double] {
        let x = cos(137.9 * .pi / 180 / (Double(order) + 1.51))
        var (before, here) = (1.0, x)
        var weights = [1.0, x]
        for l in stride(from: 2, through: order, by: 1) {
            (before, here) = (here, (Double(2 * l - 1) * x * here - Double(l - 1) * before) / Double(l))
            weights.append(here)
        }
        return Array(weights.prefix(order + 1))
    }
}
