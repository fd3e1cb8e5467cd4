import Geometry

/// A validated set of head-related impulse responses, from a SOFA file of any convention that holds a head
/// (AES69-2022).
///
/// Shapes are consistent, all numbers are finite, positions are turned into directions seen from the listener.
/// What was odd but usable, and what was converted, is listed in `remarks`.
package struct FreeFieldHRIR: Sendable {
    /// Where it was read from.
    package var path: String
    /// The text attributes of the file: Title, License, DatabaseName, ...
    package var attributes: [String: String]
    /// Samples per second.
    package var sampleRate: Double
    /// Samples of each response.
    package var sampleCount: Int
    /// Where the source stood in each measurement, seen from the listener's head.
    package var directions: [Direction<Head>]
    /// Its distance in metres; 0 where the file does not say.
    package var distances: [Double]
    /// `[measurement][receiver][sample]`; receiver 0 is the left ear by AES69's order.
    package var responses: [Float]
    /// `[measurement][receiver]`: broadband delay to be added to the responses, samples; may be fractional or negative.
    package var delays: [Double]
    /// Conversions, and oddities that were read around, one sentence each.
    package var remarks: [String]

    /// A set as given; shapes must agree.
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

    /// One ear's response of one measurement.
    package func response(_ measurement: Int, receiver: Int) -> ArraySlice<Float> {
        let start = (2 * measurement + receiver) * sampleCount
        return responses[start..<(start + sampleCount)]
    }

    /// The attribute if it is there and says something.
    package func attribute(_ name: String) -> String? {
        guard let value = attributes[name], !value.isEmpty else { return nil }
        return value
    }
}
