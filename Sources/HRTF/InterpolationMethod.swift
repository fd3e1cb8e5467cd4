import Geometry

/// How a set's responses and onsets are carried to directions that were not measured.
struct InterpolationMethod: Hashable, Sendable {
    /// Whence a target's weights come.
    enum Weights: Hashable, Sendable {
        /// A kernel over the neighbourhood.
        case kernel(InterpolationKernel)
        /// The triangle around the target; outside of all triangles, a spline.
        case triangle
    }

    /// For time-aligned responses and onsets alike: what an onset is off by, its response is off by the other way, and one
    /// set of weights lets the two cancel.
    var weights: Weights
    /// For magnitudes, which are rougher over directions than responses are: their averages fill notches.
    var magnitudes: Weights
    /// How far magnitudes move from those of the averaged responses (0) to the averaged magnitudes (1), in dB, at the
    /// middles of `MagnitudeRanges.count` ranges of frequency. Averages of responses lose level where phases differ,
    /// averages of magnitudes fill notches that move.
    var shares: [Double]
    /// How far the other ear, mirrored, is taken for this one: 0 not at all, below 1.
    var likeness = 0.0

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
    /// How far onsets follow the sphere's between the rows', 0…1. Between neighbours half of it errs least, by 4…8 % in
    /// sets of 25…80 directions: heads are no spheres. Far from all that was measured there is nothing else.
    var sphereShare = 0.5

    /// Nothing, far from all.
    static let none = RowWeights(rows: [], weights: [], sphereShare: 0)

    /// Takes a share of others' weights in.
    mutating func add(_ other: RowWeights, share: Double) {
        rows += other.rows
        weights += other.weights.map { $0 * share }
        sphereShare += other.sphereShare * share
    }
}

extension SphericalSpline {
    /// Weights for targets by a method, each target with rows of its own where they are triangles'.
    func rowWeights(
        _ method: InterpolationMethod.Weights, likeness: Double, around centre: SIMD3<Double>,
        for targets: ArraySlice<Direction<Head>>, neighbours: Int = neighbours, leavingOut: Int? = nil
    ) -> [RowWeights] {
        switch method {
        case .kernel(let kernel):
            let (rows, weights) = rows(
                kernel, likeness: likeness, around: centre, for: targets, neighbours: neighbours,
                leavingOut: leavingOut)
            return weights.map { RowWeights(rows: rows, weights: $0) }
        case .triangle:
            return targets.indices.map { place in
                guard let (indices, weights) = triangle(around: targets[place].unit, leavingOut: leavingOut) else {
                    return rowWeights(
                        .kernel(SphericalSpline.usual), likeness: 0, around: targets[place].unit,
                        for: targets[place...place], leavingOut: leavingOut)[0]
                }
                return RowWeights(rows: indices.map { 2 * $0 }, weights: weights)
            }
        }
    }
}
