import Geometry

/// Time-aligned responses of scattered directions, with the delays that were taken out.
struct ScatteredResponses: Sendable {
    var directions: [Direction<Head>]
    /// `[direction][ear][tap]`.
    var rows: [Float]
    var taps: Int
    /// `[direction][ear]`: onsets, samples.
    var onsets: [Double]
    /// Samples per second of rows and onsets.
    var sampleRate: Double
    /// A model of the onsets, seconds; only the rest is interpolated, so that sparse sets keep sensible delays.
    var model: Alignment
}
