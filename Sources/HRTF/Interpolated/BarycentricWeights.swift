import Geometry
import Glibc

extension SphericalSpline {
    /// Number of nearest directions in which the triangle is searched.
    static let triangleNeighbours = 40

    /// Returns the planar barycentric weights of three directions around a target. The three directions are the corners
    /// of the facet of the convex hull that the ray to the target crosses. Nil if the nearest directions do not
    /// surround the target.
    ///
    /// The facet minimises Σ w over the weights w ≥ 0 of the directions' unit vectors p with Σ w·p = target, a linear
    /// programme of three rows. The simplex method solves it from a triangle of artificial directions with a high cost.
    /// About ten steps of O(`triangleNeighbours`).
    func triangle(
        around target: SIMD3<Double>, leavingOut: Int? = nil
    ) -> (indices: [Int], weights: [Double])? {
        let near = nearest(to: target, count: SphericalSpline.triangleNeighbours, leavingOut: leavingOut)
        guard near.count >= 3 else { return nil }
        // Two axes perpendicular to the target, and three artificial directions far from it on all sides.
        let helper: SIMD3<Double> = abs(target.z) < 0.9 ? [0, 0, 1] : [1, 0, 0]
        let across = cross(target, helper).normalized
        let along = cross(target, across)
        var basis = (0..<3).map { k -> (index: Int, unit: SIMD3<Double>, cost: Double) in
            let angle = 2 * .pi * Double(k) / 3 + 0.1
            return (-1, (target + 3 * (across * cos(angle) + along * sin(angle))).normalized, 1e6)
        }
        for _ in 0..<60 {
            let (a, b, c) = (basis[0].unit, basis[1].unit, basis[2].unit)
            let volume = dot(a, cross(b, c))
            guard abs(volume) > 1e-12 else { return nil }
            let (u, v, w) = (cross(b, c) / volume, cross(c, a) / volume, cross(a, b) / volume)
            // Simplex multipliers. A direction, whose cost is 1, can enter the basis if its scalar product with `price`
            // exceeds 1.
            let price = u * basis[0].cost + v * basis[1].cost + w * basis[2].cost
            var best = (index: -1, gain: 1e-9)
            for index in near {
                let gain = dot(price, unit(index)) - 1
                if gain > best.gain { best = (index, gain) }
            }
            let weights = [dot(u, target), dot(v, target), dot(w, target)]
            guard best.index >= 0 else {
                guard basis.allSatisfy({ $0.index >= 0 }) else { return nil }
                let positive = weights.map { max(0, $0) }
                let sum = positive.reduce(0, +)
                return (basis.map(\.index), positive.map { $0 / sum })
            }
            let entering = unit(best.index)
            let change = [dot(u, entering), dot(v, entering), dot(w, entering)]
            var leaving = -1
            var ratio = Double.infinity
            for k in 0..<3 where change[k] > 1e-12 && weights[k] / change[k] < ratio {
                (leaving, ratio) = (k, weights[k] / change[k])
            }
            guard leaving >= 0 else { return nil }
            basis[leaving] = (best.index, entering, 1)
        }
        return nil
    }
}

private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
}

extension SIMD3 where Scalar == Double {
    fileprivate var normalized: SIMD3<Double> { self / (self * self).sum().squareRoot() }
}
