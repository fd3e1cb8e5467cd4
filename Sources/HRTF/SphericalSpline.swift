import Geometry
import Glibc

/// Interpolation on the sphere from scattered directions by thin-plate splines over local neighbourhoods.
///
/// Kernel and system: Wahba, "Spline interpolation and smoothing on the sphere", SIAM J. Sci. Stat. Comput. 2 (1981),
/// m = 2: R(z) = (q(z) − 1/3)/(4π), q = ½[ln(1 + 1/√W)·(12W² − 4W) − 12W^{3/2} + 6W + 1], W = (1 − z)/2, with a
/// constant and Σ weights = 1. Where more than `neighbours` directions are given, each patch of targets uses those
/// nearest to it; the weights of farther ones would be negligible, as the splines' cardinal functions fall off
/// exponentially.
struct SphericalSpline: Sendable {
    /// Directions that take part in one local system: some 33° around for a set of 710 directions.
    static let neighbours = 60
    /// Added to the kernel's diagonal where nothing else is asked for: gives up exactness worth 0.01 dB for calm weights
    /// with noisy neighbours.
    static let smoothing = 1e-5

    private let units: [SIMD3<Double>]
    /// Indices sorted by height, and those heights: neighbours are looked for in a growing band.
    private let order: [Int]
    private let heights: [Double]

    /// For data at these directions (no two equal).
    init(_ directions: [Direction<Head>]) {
        let units = directions.map(\.unit)
        self.units = units
        order = units.indices.sorted { units[$0].z < units[$1].z }
        heights = order.map { units[$0].z }
    }

    /// The kernel at the cosine z of the angle between two directions.
    static func kernel(_ z: Double) -> Double {
        let w = max(1e-12, min(1, (1 - z) / 2))
        let root = w.squareRoot()
        let a = log(1 + 1 / root)
        let q = 0.5 * (a * (12 * w * w - 4 * w) - 12 * w * root + 6 * w + 1)
        return (0.5 * q - 1.0 / 6) / (2 * .pi)
    }

    /// Indices of the data used for targets around `centre`, and for each target one weight per index.
    /// `leavingOut` takes one direction out, for checking data against their neighbours.
    /// O(count + neighbours³); any thread.
    func weights(
        around centre: SIMD3<Double>, for targets: ArraySlice<Direction<Head>>, neighbours: Int = neighbours,
        leavingOut: Int? = nil, smoothing: Double = smoothing
    ) -> (indices: [Int], weights: [[Double]]) {
        let indices = nearest(to: centre, count: neighbours, leavingOut: leavingOut)
        let n = indices.count
        guard n > 1 else { return (indices, targets.map { _ in [1] }) }
        let size = n + 1
        // Rows of [kernel 1; 1 0 | right-hand sides], eliminated together.
        let width = size + targets.count
        var rows = [Double](repeating: 0, count: size * width)
        for i in 0..<n {
            let a = units[indices[i]]
            for j in 0..<i {
                let value = SphericalSpline.kernel((a * units[indices[j]]).sum())
                rows[i * width + j] = value
                rows[j * width + i] = value
            }
            rows[i * width + i] = SphericalSpline.kernel(1) + smoothing
            rows[i * width + n] = 1
            rows[n * width + i] = 1
            for (k, target) in targets.enumerated() {
                rows[i * width + size + k] = SphericalSpline.kernel((a * target.unit).sum())
            }
        }
        for k in targets.indices { rows[n * width + size + k - targets.startIndex] = 1 }
        SphericalSpline.solve(&rows, size: size, width: width)
        return (indices, (0..<targets.count).map { k in (0..<n).map { rows[$0 * width + size + k] } })
    }

    /// The unit vector of a direction.
    func unit(_ index: Int) -> SIMD3<Double> { units[index] }

    /// The directions nearest to a place, unordered. O(directions in the band of heights that they span).
    func nearest(to centre: SIMD3<Double>, count: Int, leavingOut: Int? = nil) -> [Int] {
        let available = units.count - (leavingOut == nil ? 0 : 1)
        guard available > count else { return units.indices.filter { $0 != leavingOut } }
        // A heap of the best so far, the farthest on top.
        var heap: [(cosine: Double, index: Int)] = []
        heap.reserveCapacity(count)
        var (low, high) = (0, heights.count)
        while low < high {
            let middle = (low + high) / 2
            if heights[middle] < centre.z { low = middle + 1 } else { high = middle }
        }
        var (below, above) = (low - 1, low)
        while below >= 0 || above < heights.count {
            let down = below >= 0 ? centre.z - heights[below] : .infinity
            let up = above < heights.count ? heights[above] - centre.z : .infinity
            // A difference of heights d means a chord of at least d: a cosine of at most 1 − d²/2.
            let difference = min(down, up)
            if heap.count == count, 1 - difference * difference / 2 < heap[0].cosine { break }
            let index = down < up ? order[below] : order[above]
            if down < up { below -= 1 } else { above += 1 }
            guard index != leavingOut else { continue }
            let cosine = (units[index] * centre).sum()
            if heap.count < count {
                heap.append((cosine, index))
                if heap.count == count { for root in stride(from: count / 2, through: 0, by: -1) { sift(&heap, root) } }
            } else if cosine > heap[0].cosine {
                heap[0] = (cosine, index)
                sift(&heap, 0)
            }
        }
        return heap.map(\.index)
    }

    private func sift(_ heap: inout [(cosine: Double, index: Int)], _ start: Int) {
        var root = start
        while true {
            var child = 2 * root + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1].cosine < heap[child].cosine { child += 1 }
            guard heap[child].cosine < heap[root].cosine else { return }
            heap.swapAt(child, root)
            root = child
        }
    }

    /// Gauss–Jordan elimination with partial pivoting; the solutions replace the right-hand sides.
    static func solve(_ rows: inout [Double], size: Int, width: Int) {
        rows.withUnsafeMutableBufferPointer { buffer in
            guard let a = buffer.baseAddress else { return }
            for column in 0..<size {
                var pivot = column
                for row in (column + 1)..<max(column + 1, size)
                where abs(a[row * width + column]) > abs(a[pivot * width + column]) { pivot = row }
                if pivot != column {
                    for k in column..<width {
                        (a[pivot * width + k], a[column * width + k]) = (a[column * width + k], a[pivot * width + k])
                    }
                }
                let top = a + column * width
                let inverse = 1 / (abs(top[column]) > 1e-300 ? top[column] : 1e-300)
                for row in (column + 1)..<max(column + 1, size) {
                    let line = a + row * width
                    let factor = line[column] * inverse
                    if factor == 0 { continue }
                    for k in (column + 1)..<width { line[k] -= factor * top[k] }
                }
            }
            for column in stride(from: size - 1, through: 0, by: -1) {
                let line = a + column * width
                let diagonal = abs(line[column]) > 1e-300 ? line[column] : 1e-300
                for k in size..<width {
                    var sum = line[k]
                    for j in (column + 1)..<max(column + 1, size) { sum -= line[j] * a[j * width + k] }
                    line[k] = sum / diagonal
                }
            }
        }
    }
}
