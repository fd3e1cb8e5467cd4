import Geometry
import Glibc

/// Method that interpolates a set's responses and onsets to unmeasured directions.
struct InterpolationMethod: Hashable, Sendable {
    /// Computation of the weights with which measured directions contribute to a target, the direction to be
    /// interpolated.
    enum Weights: Hashable, Sendable {
        /// A kernel over the neighbourhood.
        case kernel(InterpolationKernel)
        /// The triangle of directions around the target; if no triangle contains the target, a spline.
        case triangle
    }

    /// Weights of time-aligned responses and of onsets. An error of an onset shifts its aligned response in the
    /// opposite direction, so that with common weights both errors cancel.
    var weights: Weights
    /// Weights of magnitudes, which vary more over directions than responses do.
    var magnitudes: Weights
    /// Shares by which levels in dB are moved from those of the averaged responses (0) to those of the averaged
    /// magnitudes (1), at the middles of `MagnitudeRanges.count` frequency ranges. Averaged responses lose level if
    /// their phases differ. Averaged magnitudes fill notches whose frequency depends on direction.
    var shares: [Double]
    /// Assumed correlation between this ear and the mirrored other ear, below 1. With 0 the other ear is not used.
    var likeness = 0.0

    /// Data to which weights apply.
    enum Part: Sendable {
        /// Time-aligned responses, and the onsets by which they were aligned.
        case responses
        /// Magnitudes, which have no onsets.
        case magnitudes

        /// Number of directions around a patch that are used.
        var neighbours: Int {
            self == .responses ? SphericalSpline.neighbours : SphericalSpline.magnitudeNeighbours
        }
    }

    /// Method for sets that have too few directions for a choice.
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

/// Weights of a set's rows for one target, for the left ear. The row number is 2·direction + ear. For the right ear the
/// lowest bit of each row number is inverted.
struct RowWeights: Sendable {
    var rows: [Int]
    var weights: [Double]
    /// Part of each weight that is also applied to the sphere's change of delay from the row's direction to the
    /// target's; empty for weights of magnitudes.
    var drifts: [Double]

    /// No rows.
    static let none = RowWeights(rows: [], weights: [], sphereShare: nil)

    /// Creates weights. `sphereShare`: share, 0…1, by which onsets follow the sphere's; nil for weights of magnitudes.
    init(rows: [Int], weights: [Double], sphereShare: Double?) {
        self.rows = rows
        self.weights = weights
        drifts = sphereShare.map { share in weights.map { $0 * share } } ?? []
    }

    /// Increases the share by which onsets follow the sphere's. `share`: part (0…1) of the remainder that is added.
    mutating func followSphere(by share: Double) {
        for place in drifts.indices { drifts[place] += share * (weights[place] - drifts[place]) }
    }

    /// Adds the rows of other weights, scaled by a share.
    mutating func add(_ other: RowWeights, share: Double) {
        rows += other.rows
        weights += other.weights.map { $0 * share }
        drifts += other.drifts.map { $0 * share }
    }
}

extension SphericalSpline {
    /// Angles to the third nearest direction, radians. Up to `bare`, onsets are interpolated without the sphere; from
    /// `sphere` on they follow it completely.
    private static let bare = 20 * Double.pi / 180
    private static let sphere = 60 * Double.pi / 180

    /// Returns the share, 0…1, by which a direction's onset follows the sphere's change of delay from the neighbours to
    /// this direction.
    ///
    /// Heads are not spheres. With 50 and 80 directions, onsets that follow the sphere have errors 2…6 % larger than
    /// other onsets. With nine directions, onsets that follow the sphere have half the errors of other onsets. So the
    /// share depends on the angle to the third nearest direction. With this share the error is within 1 % of the
    /// smaller of both errors, with 9, 16, 25, 50 and 80 directions (interaural delays of seven sets, two kernels). Far
    /// from clustered directions `Completion` increases the share.
    func sphereShare(at unit: SIMD3<Double>, leavingOut: Int? = nil) -> Double {
        let nearest = nearest(to: unit, count: 3, leavingOut: leavingOut)
        guard nearest.count == 3 else { return 1 }
        let third = nearest.map { (self.unit($0) * unit).sum() }.min() ?? -1
        let (bare, sphere) = (SphericalSpline.bare, SphericalSpline.sphere)
        return max(0, min(1, (acos(max(-1, min(1, third))) - bare) / (sphere - bare)))
    }

    /// Returns the weights of targets by a method, for responses and onsets or for magnitudes. With triangles, each
    /// target has its own rows.
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
