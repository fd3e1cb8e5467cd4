import Glibc

/// Directions and weights that integrate polynomials over the sphere exactly. The points lie on rings. The heights of
/// the rings are the nodes of Gauss-Legendre quadrature; the points of a ring are equally spaced in azimuth.
///
/// With K rings of 2K points, polynomials up to degree 2K − 1 are integrated exactly. Source: Abramowitz & Stegun,
/// §25.4.29; Rafaely, "Fundamentals of Spherical Array Processing", §3.3.
package struct GaussGrid: Sendable {
    /// Heights of the rings (sines of their elevations), from the lowest ring up.
    package let heights: [Double]
    /// `[ring]`: weight of one point of the ring. The weights of all points have the sum 1.
    private let shares: [Double]

    /// Makes the smallest grid that integrates polynomials up to a degree ≥ 1 exactly.
    package init(exactTo degree: Int) {
        let count = degree / 2 + 1
        var heights: [Double] = []
        var shares: [Double] = []
        for i in 0..<count {
            // Newton's method on the Legendre polynomial, from Tricomi's estimate of its roots.
            var x = -cos(.pi * (Double(i) + 0.75) / (Double(count) + 0.5))
            var slope = 1.0
            for _ in 0..<8 {
                var (before, here) = (1.0, x)
                for l in stride(from: 2, through: count, by: 1) {
                    (before, here) = (here, (Double(2 * l - 1) * x * here - Double(l - 1) * before) / Double(l))
                }
                slope = Double(count) * (x * here - before) / (x * x - 1)
                x -= here / slope
            }
            heights.append(x)
            // Gauss's weight 2/((1 − x²)P′²), with P′ the slope of the polynomial, divided by the length 2 of the
            // interval −1…1 and by the number of points of the ring.
            shares.append(1 / ((1 - x * x) * slope * slope) / Double(2 * count))
        }
        self.heights = heights
        self.shares = shares
    }

    /// Number of points.
    package var count: Int { 2 * heights.count * heights.count }

    /// Returns all points, ring by ring from the lowest. Within a ring they are counter-clockwise from the front.
    package func directions<Frame>(in frame: Frame.Type) -> [Direction<Frame>] {
        let around = 2 * heights.count
        return heights.flatMap { height in
            (0..<around).map { place in
                Direction<Frame>(azimuth: 2 * .pi * Double(place) / Double(around), elevation: asin(height))
            }
        }
    }

    /// Weight of each point, in the order of `directions`. The sum is 1.
    package var weights: [Double] {
        shares.flatMap { [Double](repeating: $0, count: 2 * heights.count) }
    }
}
