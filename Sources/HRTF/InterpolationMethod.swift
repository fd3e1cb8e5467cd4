import Geometry

/// How a set's responses and onsets are carried to directions that were not measured.
struct InterpolationMethod: Hashable, Sendable {
    /// Whence a target's weights come.
    enum Weights: Hashable, Sendable {
        /// A spherical spline, with what is added to its kernel's diagonal: more follows noise less.
        case spline(smoothing: Double)
        /// The triangle around the target; outside of all triangles, the spline.
        case triangle
    }

    /// For time-aligned responses, magnitudes and onsets alike: what an onset is off by, its response is off by the other
    /// way, and one set of weights lets the two cancel.
    var weights: Weights
    /// How far magnitudes move from those of the averaged responses (0) to the averaged magnitudes (1), in dB. Averages
    /// of responses lose level where phases differ, averages of magnitudes fill notches that move.
    var magnitudeShare: Double

    /// Where there is too little to choose by.
    static let usual = InterpolationMethod(weights: .spline(smoothing: 1e-5), magnitudeShare: 0.5)
}

extension InterpolationMethod.Weights: CustomStringConvertible {
    var description: String {
        switch self {
        case .spline(let smoothing): "spherical spline (smoothing \(smoothing))"
        case .triangle: "triangles"
        }
    }
}

extension SphericalSpline {
    /// Weights for targets by a method, each target with indices of its own where they are triangles'.
    func weights(
        _ method: InterpolationMethod.Weights, around centre: SIMD3<Double>, for targets: ArraySlice<Direction<Head>>,
        leavingOut: Int? = nil
    ) -> [(indices: [Int], weights: [Double])] {
        switch method {
        case .spline(let smoothing):
            let (indices, rows) = weights(around: centre, for: targets, leavingOut: leavingOut, smoothing: smoothing)
            return rows.map { (indices, $0) }
        case .triangle:
            return targets.indices.map { place in
                triangle(around: targets[place].unit, leavingOut: leavingOut)
                    ?? weights(
                        .spline(smoothing: 1e-5), around: targets[place].unit, for: targets[place...place],
                        leavingOut: leavingOut)[0]
            }
        }
    }
}
