import Geometry
import Glibc

/// Replaces responses in directions far from all measured ones: below the lowest elevation of a set, or above and below
/// a ring.
///
/// Far from the measured directions a spline continues its slope without bound. Directions with the same angle to the
/// interaural axis (a cone of confusion) have nearly equal interaural delays and level differences. They differ only in
/// spectral cues, which are unknown where nothing was measured. So a direction without measured neighbours is replaced
/// by the nearest measured points of its cone, one in either sense of rotation. The weight of each point is
/// proportional to the angle between the direction and the other point. The direction's delays are those of a sphere
/// plus the deviation of the measured points from the sphere.
struct Completion: Sendable {
    /// Angle to the nearest measured direction at which completion begins, radians; at twice this angle it is complete.
    let reach: Double

    /// Description for the report.
    static let sentence = "responses measured on the same cone about the interaural axis are used"

    private let spline: SphericalSpline
    /// Step along a cone, radians.
    private static let step = 2 * Double.pi / 180
    /// Least reach, radians; up to this angle splines extrapolate well.
    private static let leastReach = 8 * Double.pi / 180

    /// Prepares for measured directions. The median of their spacing determines the reach.
    init(_ directions: [Direction<Head>], _ spline: SphericalSpline) {
        self.spline = spline
        let spacings = directions.indices.map { index in
            spline.nearest(to: directions[index].unit, count: 1, leavingOut: index)
                .map { directions[index].angle(to: directions[$0]) }.first ?? .pi
        }
        let median = spacings.sorted()[spacings.count / 2]
        reach = max(Completion.leastReach, 1.2 * median)
    }

    /// Two points of a cone that replace a direction: the share of the replacement in the result, 0…1, and each point
    /// with its share of the replacement.
    typealias Places = (share: Double, places: [(at: Direction<Head>, share: Double)])

    /// Position of a direction relative to the measured ones.
    struct Surroundings {
        /// Share, 0…1, by which the direction's onsets follow the sphere's, because measured neighbours are missing. In
        /// sets without gaps the angle from any direction to the nearest measured one is at most `surrounded` times
        /// `reach`, so the share is 0.
        let edge: Double
        /// Replacement; nil if the direction has measured neighbours or its cone has no measured points.
        let places: Places?
    }

    /// Returns the surroundings of a direction; they are used for all data that are interpolated in this direction.
    func surroundings(of direction: Direction<Head>) -> Surroundings {
        let distance = distance(to: direction.unit)
        let edge = max(0, min(1, (distance / reach - Completion.surrounded) / (1 - Completion.surrounded)))
        return Surroundings(edge: edge, places: places(of: direction, at: distance))
    }
    private static let surrounded = 0.6

    /// Returns the replacement of a direction at `distance` (radians) from the nearest measured one.
    private func places(of direction: Direction<Head>, at distance: Double) -> Places? {
        guard distance > reach else { return nil }
        let unit = direction.unit
        let (radius, polar) = (hypot(unit.x, unit.z), atan2(unit.z, unit.x))
        var found: [(at: Direction<Head>, way: Double)] = []
        for sense in [1.0, -1] {
            var way = Completion.step
            while way < 2 * .pi {
                let angle = polar + sense * way
                let place = SIMD3(radius * cos(angle), unit.y, radius * sin(angle))
                if self.distance(to: place) <= reach {
                    found.append((Direction(unit: place), way))
                    break
                }
                way += Completion.step
            }
        }
        guard found.count == 2 else { return nil }
        let u = min(1, distance / reach - 1)
        let whole = found[0].way + found[1].way
        return (
            u * u * (3 - 2 * u),
            [(found[0].at, found[1].way / whole), (found[1].at, found[0].way / whole)]
        )
    }

    private func distance(to unit: SIMD3<Double>) -> Double {
        let nearest = spline.nearest(to: unit, count: 1)[0]
        return acos(max(-1, min(1, (spline.unit(nearest) * unit).sum())))
    }

    /// Returns the weights of the points of a patch, `[point]`, including their replacements. Towards gaps, onsets
    /// follow the sphere's. O(neighbours³) per replacement.
    func complete(
        _ own: [RowWeights], in surroundings: [Surroundings], _ weights: InterpolationMethod.Weights,
        of part: InterpolationMethod.Part, likeness: Double
    ) -> [RowWeights] {
        zip(own, surroundings).map { own, around in
            var own = own
            own.followSphere(by: around.edge)
            guard let (share, places) = around.places else { return own }
            var whole = RowWeights.none
            if share < 1 { whole.add(own, share: 1 - share) }
            for place in places {
                var taken = spline.rowWeights(
                    weights, of: part, likeness: likeness, around: place.at.unit, for: [place.at])[0]
                taken.followSphere(by: 1)
                whole.add(taken, share: share * place.share)
            }
            return whole
        }
    }
}
