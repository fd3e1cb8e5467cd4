import Geometry
import Glibc

/// How a set's responses and onsets are carried to directions that were not measured.
struct InterpolationMethod: Hashable, Sendable {
    /// Whence a target's weights come.
    enum Weights: Hashable, Sendable {
        /// A kernel over the neighbourhood.
        case kernel(InterpolationKernel)
        /// The triangle around the target; outside of all triangles, a spline.
        case triangle
    }

    /// For time-aligned responses and onsets alike: what an onset is off by, its response is off by the other way, and
    /// one set of weights lets the two cancel.
    var weights: Weights
    /// For magnitudes, which are rougher over directions than responses are: their averages fill notches.
    var magnitudes: Weights
    /// How far magnitudes move from those of the averaged responses (0) to the averaged magnitudes (1), in dB, at the
    /// middles of `MagnitudeRanges.count` ranges of frequency. Averages of responses lose level where phases differ,
    /// averages of magnitudes fill notches that move.
    var shares: [Double]
    /// How far the other ear, mirrored, is taken for this one: 0 not at all, below 1.
    var likeness = 0.0

    /// What weights are for.
    enum Part: Sendable {
        /// Time-aligned responses, and the onsets that they were aligned by.
        case responses
        /// Magnitudes, which have no onsets.
        case magnitudes

        /// How many directions around a patch take part.
        var neighbours: Int {
            self == .responses ? SphericalSpline.neighbours : SphericalSpline.magnitudeNeighbours
        }
    }

    /// Where there is too little to choose by.
    static let usual = InterpolationMethod(
        weights: .kernel(SphericalSpline.usual), magnitudes: .kernel(SphericalSpline.usual),
        shares: [Double](repeating: 0.5, count: MagnitudeRanges.count))
}

extension InterpolationMethod.Weights: CustomStringConvertible {
    var description: String {
        switch self {
        case .kernel(let kernel): kernel.description
        case .triangle: "triangles"
        }
    }
}

/// What one target takes of a set's rows. A row is 2·direction + ear, as for the left ear; the right ear's have the
/// other lowest bit.
struct RowWeights: Sendable {
    var rows: [Int]
    var weights: [Double]
    /// What of each weight counts for the way from the row's onset to the target's, as it is on a sphere; empty where
    /// the weights are for magnitudes alone.
    var drifts: [Double]

    /// Nothing yet.
    static let none = RowWeights(rows: [], weights: [], sphereShare: nil)

    /// Weights whose onsets follow the sphere's by a share; nil: that have no onsets.
    init(rows: [Int], weights: [Double], sphereShare: Double?) {
        self.rows = rows
        self.weights = weights
        drifts = sphereShare.map { share in weights.map { $0 * share } } ?? []
    }

    /// Lets onsets follow the sphere's by a share, 0…1, of what they do not yet.
    mutating func followSphere(by share: Double) {
        for place in drifts.indices { drifts[place] += share * (weights[place] - drifts[place]) }
    }

    /// Takes a share of others' weights in.
    mutating func add(_ other: RowWeights, share: Double) {
        rows += other.rows
        weights += other.weights.map { $0 * share }
        drifts += other.drifts.map { $0 * share }
    }
}

extension SphericalSpline {
    /// How far apart directions are between which onsets are interpolated as they are, and from where on they follow
    /// the sphere's wholly, radians.
    private static let bare = 20 * Double.pi / 180
    private static let sphere = 60 * Double.pi / 180

    /// How far the onsets of a direction follow the sphere's from those of its neighbours, 0…1.
    ///
    /// Heads are no spheres: following it between neighbours errs by 2…6 % more than not following it with 50 and 80
    /// directions, and by half as much with nine. It counts by how far the third nearest direction is, which errs as
    /// little as the better of both, within 1 %, with 9, 16, 25, 50 and 80 directions (interaural delays of seven sets,
    /// two kernels). Far from directions that lie close together, `Completion` takes the sphere's.
    func sphereShare(at unit: SIMD3<Double>, leavingOut: Int? = nil) -> Double {
        let nearest = nearest(to: unit, count: 3, leavingOut: leavingOut)
        guard nearest.count == 3 else { return 1 }
        let third = nearest.map { (self.unit($0) * unit).sum() }.min() ?? -1
        let (bare, sphere) = (SphericalSpline.bare, SphericalSpline.sphere)
        return max(0, min(1, (acos(max(-1, min(1, third))) - bare) / (sphere - bare)))
    }

    /// Weights for targets by a method, each target with rows of its own where they are triangles'; for responses and
    /// their onsets, or for magnitudes.
    func rowWeights(
        _ method: InterpolationMethod.Weights, of part: InterpolationMethod.Part, likeness: Double,
        around centre: SIMD3<Double>, for targets: ArraySlice<Direction<Head>>, leavingOut: Int? = nil
    ) -> [RowWeights] {
        func share(_ target: Direction<Head>) -> Double? {
            part == .responses ? sphereShare(at: target.unit, leavingOut: leavingOut) : nil
        }
        switch method {
        case .kernel(let kernel):
            let (rows, weights) = rows(
                kernel, likeness: likeness, around: centre, for: targets, neighbours: part.neighbours,
                leavingOut: leavingOut)
            return zip(targets, weights).map { RowWeights(rows: rows, weights: $1, sphereShare: share($0)) }
        case .triangle:
            return targets.indices.map { place in
                guard let (indices, weights) = triangle(around: targets[place].unit, leavingOut: leavingOut) else {
                    return rowWeights(
                        .kernel(SphericalSpline.usual), of: part, likeness: 0, around: targets[place].unit,
                        for: targets[place...place], leavingOut: leavingOut)[0]
                }
                return RowWeights(rows: indices.map { 2 * $0 }, weights: weights, sphereShare: share(targets[place]))
            }
        }
    }
}
