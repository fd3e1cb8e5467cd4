import Geometry

/// Time-aligned responses of scattered directions, with the onsets that are played. These may be smoothed, and then
/// differ from the onsets by which the responses were aligned.
struct ScatteredResponses: Sendable {
    var directions: [Direction<Head>]
    /// Responses `[direction][ear][tap]`.
    var rows: [Float]
    var taps: Int
    /// Onsets, samples, `[direction][ear]`.
    var onsets: [Double]
    /// Sample rate of rows and onsets, hertz.
    var sampleRate: Double
    /// Alignment of the set, whose rigid-sphere model (`model(_:)`) predicts the onsets. In sparse sets the deviations
    /// of the onsets from the model are interpolated instead of the onsets, so that delays remain plausible
    /// (`SphericalSpline.sphereShare`).
    var model: Alignment
}
