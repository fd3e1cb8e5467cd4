import Geometry
import Glibc

/// Sums over spherical harmonics at the points of a ring grid, one ring after the other.
///
/// On a ring the harmonics of the same index m differ by a constant factor. So the sums over degrees are computed once
/// for each ring, and a point is a sum over 2·order + 1 indices: a tenth of the work of (order + 1)² harmonics at order
/// 20. The harmonics are orthonormal (`HeadDirections`).
struct HarmonicRings {
    private let order: Int
    private let grid: RingGrid
    /// Coefficients `[harmonic][receiver][sample]`.
    private let coefficients: [Float]
    /// Number of values of one harmonic: the samples of two receivers.
    private let width: Int
    /// Ring to which `sums` belong; −1 before the first.
    private var ring = -1
    /// Sums over degrees at azimuth 0 of the ring, `[index + order][receiver][sample]`.
    private var sums: [Float]

    /// Copies the values of one measurement, which are in the order of `axes`.
    init(order: Int, grid: RingGrid, _ values: ArraySlice<Float>, axes: EmitterAxes, samples: Int) {
        let count = SphericalHarmonics.count(order: order)
        let width = 2 * samples
        (self.order, self.grid, self.width) = (order, grid, width)
        sums = [Float](repeating: 0, count: (2 * order + 1) * width)
        coefficients = [Float](unsafeUninitializedCapacity: count * width) { result, initialized in
            values.withUnsafeBufferPointer { source in
                for e in 0..<count {
                    for ear in 0..<2 {
                        for n in 0..<samples {
                            let place =
                                axes == .emittersLast
                                ? (ear * samples + n) * count + e : (ear * count + e) * samples + n
                            result[e * width + ear * samples + n] = source[place]
                        }
                    }
                }
            }
            initialized = count * width
        }
    }

    /// Returns `[receiver][sample]` at a point of the grid. If points are requested in order, each costs O(samples ·
    /// order), and each ring O(samples · harmonics).
    mutating func pair(_ point: Int) -> [Float] {
        if ring < 0 || point < grid.first[ring] || point >= grid.first[ring] + grid.counts[ring] {
            begin(grid.first.lastIndex { $0 <= point } ?? 0)
        }
        let azimuth = 2 * .pi * Double(point - grid.first[ring]) / Double(grid.counts[ring])
        var result = [Float](repeating: 0, count: width)
        for m in -order...order {
            let turn = Double(abs(m)) * azimuth
            add(sums, at: (m + order) * width, times: Float(m < 0 ? sin(turn) : cos(turn)), to: &result, at: 0)
        }
        return result
    }

    /// Computes the sums over degrees for a ring.
    private mutating func begin(_ ring: Int) {
        self.ring = ring
        for i in sums.indices { sums[i] = 0 }
        let elevation = Double(ring) * grid.step - .pi / 2
        // At azimuth 0 a harmonic of index m ≥ 0 equals its constant factor. The harmonic of index −m has the same
        // factor.
        let values = SphericalHarmonics.values(
            order: order, Direction<Head>(azimuth: 0, elevation: elevation))
        for l in 0...order {
            let scale = (Double(2 * l + 1) / (4 * .pi)).squareRoot()
            for m in -l...l {
                let factor = Float(scale * values[l * l + l + abs(m)])
                add(coefficients, at: (l * l + l + m) * width, times: factor, to: &sums, at: (m + order) * width)
            }
        }
    }

    private func add(_ source: [Float], at start: Int, times factor: Float, to result: inout [Float], at place: Int) {
        guard factor != 0 else { return }
        source.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { result in
                for i in 0..<width { result[place + i] += factor * source[start + i] }
            }
        }
    }
}
