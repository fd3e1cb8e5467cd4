import Geometry

/// A validated set of head-related impulse responses, from a SOFA file of any convention for heads (AES69-2022).
///
/// Shapes are consistent, all numbers are finite, and positions are converted to directions relative to the head.
/// `remarks` lists peculiarities and conversions.
package struct FreeFieldHRIR: Sendable {
    /// Path of the file.
    package var path: String
    /// The text attributes of the file: Title, License, DatabaseName, ...
    package var attributes: [String: String]
    /// Sample rate, hertz.
    package var sampleRate: Double
    /// Number of samples in each response.
    package var sampleCount: Int
    /// Direction of the source in each measurement, relative to the listener's head.
    package var directions: [Direction<Head>]
    /// Distance of each source, metres; 0 if unknown.
    package var distances: [Double]
    /// Responses `[measurement][receiver][sample]`; receiver 0 is the left ear by AES69's order.
    package var responses: [Float]
    /// Broadband delays to be added, samples, `[measurement][receiver]`; may be fractional or negative.
    package var delays: [Double]
    /// Whether the responses are sums of spherical harmonics at the points of a grid (`RingGrid`).
    package var isEvaluated = false
    /// Conversions, and peculiarities of the file that the reader corrected or ignored; one sentence each.
    package var remarks: [String]

    /// Creates a set; the shapes must agree.
    package init(
        path: String, attributes: [String: String], sampleRate: Double, sampleCount: Int,
        directions: [Direction<Head>], distances: [Double], responses: [Float], delays: [Double], remarks: [String] = []
    ) {
        precondition(distances.count == directions.count && delays.count == 2 * directions.count)
        precondition(responses.count == 2 * directions.count * sampleCount)
        self.path = path
        self.attributes = attributes
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.directions = directions
        self.distances = distances
        self.responses = responses
        self.delays = delays
        self.remarks = remarks
    }

    /// Number of measured directions, duplicates included.
    package var measurementCount: Int { directions.count }

    /// Returns one ear's response of one measurement.
    package func response(_ measurement: Int, receiver: Int) -> ArraySlice<Float> {
        let start = (2 * measurement + receiver) * sampleCount
        return responses[start..<(start + sampleCount)]
    }

    /// Returns an attribute; nil if it is missing or empty.
    package func attribute(_ name: String) -> String? {
        guard let value = attributes[name], !value.isEmpty else { return nil }
        return value
    }
}
