import CRealtime

/// Grid of cells of about 10° over the whole sphere, in rings of equal elevation. A kernel smooths values over
/// neighbouring cells.
struct DirectionGrid: ~Copyable {
    /// Number of rings, at elevations from −80° to 80°.
    private static var rings: Int { @_noLocks get { 17 } }
    /// Concentration κ of the kernel e^{κ(cos angle − 1)}; its standard deviation is 11.5°.
    private static var concentration: Double { 25 }
    /// Number of cells.
    let count: Int
    /// `[cell]`: direction of the cell's centre.
    let centres: Row<SIMD3<Float>>
    /// `[ring]`: index of its first cell, and number of its cells.
    private let first: Row<Int>, sizes: Row<Int>
    /// `[cell][cell]`: smoothing weights.
    private let kernel: Row<Float>

    /// Computes the cells and the kernel. Not for the audio thread.
    init() {
        first = Row(Self.rings, 0)
        sizes = Row(Self.rings, 0)
        var points: [SIMD3<Float>] = []
        for ring in 0..<Self.rings {
            let elevation = Double(10 * ring - 80) * .pi / 180
            let size = max(1, Int((36 * prc_cos(elevation)).rounded()))
            first.base[ring] = points.count
            sizes.base[ring] = size
            for i in 0..<size {
                let azimuth = 2 * .pi * Double(i) / Double(size)
                points.append(
                    SIMD3(
                        Float(prc_cos(azimuth) * prc_cos(elevation)), Float(prc_sin(azimuth) * prc_cos(elevation)),
                        Float(prc_sin(elevation))))
            }
        }
        count = points.count
        centres = Row(count, .zero)
        for i in 0..<count { centres.base[i] = points[i] }
        kernel = Row(count * count, 0)
        for i in 0..<count {
            for j in 0..<count {
                kernel.base[i * count + j] = Float(
                    prc_exp(Self.concentration * (Double((points[i] * points[j]).sum()) - 1)))
            }
        }
    }

    /// Returns the index of the cell that contains a unit vector.
    @_noLocks
    func cell(_ direction: SIMD3<Float>) -> Int {
        let elevation = prc_asin(Double(max(-1, min(1, direction.z)))) * 18 / .pi
        let ring = max(0, min(Self.rings - 1, Int(elevation + 8.5)))
        let turn = prc_atan2(Double(direction.y), Double(direction.x)) / (2 * .pi)
        let size = sizes.base[ring]
        let step = Int((turn < 0 ? turn + 1 : turn) * Double(size) + 0.5)
        return first.base[ring] + (step == size ? 0 : step)
    }

    /// Smooths the weights `[cell]` with the kernel and writes the sums to `result`. Cost: count² multiply-adds, about
    /// 30 µs.
    @_noLocks
    func spread(_ weights: borrowing Row<Float>, into result: borrowing Row<Float>) {
        for i in 0..<result.count { result.base[i] = 0 }
        for i in 0..<count where weights.base[i] > 1e-20 {
            let weight = weights.base[i], row = kernel.base + i * count, target = result.base
            for j in 0..<count { target[j] += weight * row[j] }
        }
    }
}
