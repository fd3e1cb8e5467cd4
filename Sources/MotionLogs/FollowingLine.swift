import Gate
import HeadTracking

/// Line for new parameters of head tracking.
struct FollowingLine: Encodable {
    /// The parameters by the names of the properties of `HeadTrackerOptions.Choices`, and the time of their change.
    struct Entry: Codable {
        /// The parameters.
        var choices: HeadTrackerOptions.Choices
        /// Time of the change on the host's monotonic clock, seconds.
        var time: Double

        private enum CodingKeys: CodingKey { case time }

        /// Entries of the default parameters. Finite numbers and words can always be encoded.
        private static let defaults = try? JSONValue(encoding: HeadTrackerOptions.Choices())

        /// Creates the entries of a change.
        init(choices: HeadTrackerOptions.Choices, time: Double) { (self.choices, self.time) = (choices, time) }

        /// Reads the entries. Absent parameters have their defaults; unknown ones are ignored.
        init(from decoder: any Decoder) throws {
            let entries = JSONValue.object(try [String: JSONValue](from: decoder))
            choices = try entries.filled(from: Self.defaults).decoded(as: HeadTrackerOptions.Choices.self)
            time = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .time)
        }

        /// Writes all parameters and the time into one object.
        func encode(to encoder: any Encoder) throws {
            try choices.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(time, forKey: .time)
        }
    }

    var following: Entry
}
