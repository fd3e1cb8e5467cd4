import Geometry

/// Time-aligned responses of scattered directions, with the onsets by which they were aligned.
struct ScatteredResponses: Sendable {
    var directions: [Direction<Head>]
    /// Responses `[direction][ear][tap]`.
    var rows: [Float]
    var taps: Int
    /// Onsets, samples, `[direction][ear]`.
    var onsets: [Double]
    /// Sample rate of rows and onsets, hertz.
    var sampleRate: Double
    /// Rigid-sphere model of the onsets. Only the deviations of the onsets from the model are interpolated, so that
    /// delays remain plausible in sparse sets.
    var model: Alignment
}
