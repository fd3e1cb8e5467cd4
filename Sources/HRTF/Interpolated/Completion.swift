import Geometry
import Glibc

/// What stands in for directions far from all that a set was measured at: its floor, a lower half, all but a ring.
///
/// A spline that is carried on past its data goes wherever its last slope points. Directions of equal angle to the axis
/// of the ears (a cone of confusion) have nearly equal delays and levels between the ears, and differ in spectral cues
/// alone, which nothing can tell where nothing was measured. So a direction without measured neighbours takes the two
/// places that the set knows on its own cone, one either way round, each by the nearness of the other; delays are a
/// sphere's at the direction itself and what the measured ones have beyond it.
struct Completion: Sendable {
    /// Farther than this from every measured direction completion sets in, and at twice as far it is all; radians.
    let reach: Double

    /// What is done, for the report.
    static let sentence = "what was measured on the same cone about the axis of the ears stands in"

    private let spline: SphericalSpline
    /// Steps by which a cone is gone round, radians.
    private static let step = 2 * Double.pi / 180
    /// The least reach, radians: within it splines can be carried on.
    private static let leastReach = 8 * Double.pi / 180

    /// For measured directions, whose usual distance sets how far splines reach.
    init(_ directions: [Direction<Head>], _ spline: SphericalSpline) {
        self.spline = spline
        let spacings = directions.indices.map { index in
            spline.nearest(to: directions[index].unit, count: 1, leavingOut: index)
                .map { directions[index].angle(to: directions[$0]) }.first ?? .pi
        }
        let median = spacings.sorted()[spacings.count / 2]
        reach = max(Completion.leastReach, 1.2 * median)
    }

    /// What a direction takes from elsewhere: the share of that in all, and the two places with their shares in it.
    typealias Places = (share: Double, places: [(at: Direction<Head>, share: Double)])

    /// How a direction lies to what was measured.
    struct Surroundings {
        /// How far its onsets follow the sphere's because nothing was measured near it, 0…1: within `surrounded` of the
        /// reach all directions of a set without gaps lie.
        let edge: Double
        /// nil where it has measured neighbours, or its cone has none.
        let places: Places?
    }

    /// How a direction lies to what was measured, once for all that is interpolated there.
    func surroundings(of direction: Direction<Head>) -> Surroundings {
        let distance = distance(to: direction.unit)
        let edge = max(0, min(1, (distance / reach - Completion.surrounded) / (1 - Completion.surrounded)))
        return Surroundings(edge: edge, places: places(of: direction, at: distance))
    }
    private static let surrounded = 0.6

    /// The places of a direction so far from what was measured, radians.
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

    /// The weights of a patch's points, `[point]`, with what they take from elsewhere; onsets follow the sphere's
    /// towards there, and where nothing was measured on the cone. O(neighbours³) where anything is taken.
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
