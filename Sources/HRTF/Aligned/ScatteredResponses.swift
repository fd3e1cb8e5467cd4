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
    /// Model of the onsets. Only their deviation from it is interpolated, so that sparse sets keep sensible delays.
    var model: Alignment
}
