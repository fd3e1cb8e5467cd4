/// A description of the stage for drawing: positions of each input's loudspeakers, meter indices of their channels, and
/// the available choices.
package struct StagePicture: Codable, Sendable, Equatable {
    /// A loudspeaker. Its direction is relative to the front of its input's layout.
    package struct Place: Codable, Sendable, Equatable {
        /// Symbol, as in ports and addresses.
        package var name: String
        /// Display name.
        package var title: String
        /// Azimuth, degrees counter-clockwise from the front; elevation, degrees up from the horizon.
        package var azimuth: Double, elevation: Double
        /// Whether it is a low-frequency loudspeaker, which has no direction.
        package var isLowFrequency: Bool
        /// Index of the loudspeaker's meter among the meters of all inputs, from 0; nil if it has no input channel.
        package var meter: Int?

        /// Creates a loudspeaker; see the properties.
        package init(
            name: String, title: String, azimuth: Double, elevation: Double, isLowFrequency: Bool, meter: Int? = nil
        ) {
            (self.name, self.title, self.azimuth, self.elevation) = (name, title, azimuth, elevation)
            (self.isLowFrequency, self.meter) = (isLowFrequency, meter)
        }
    }
    /// An input, which may be an effect or a sound field.
    package struct Input: Codable, Sendable, Equatable {
        /// Name of the input in commands.
        package var name: String
        /// Name of its layout.
        package var layout: String
        /// Whether it is an effect, to which other inputs are sent.
        package var isEffect: Bool
        /// Its loudspeakers; none for a sound field.
        package var loudspeakers: [Place]
        /// Meter indices of its channels: first those of the multichannel rendition, then those of the stereo one.
        package var meters: [Int]

        /// Creates an input; see the properties.
        package init(name: String, layout: String, isEffect: Bool, loudspeakers: [Place], meters: [Int]) {
            (self.name, self.layout, self.isEffect, self.loudspeakers) = (name, layout, isEffect, loudspeakers)
            self.meters = meters
        }
    }
    /// The inputs, in the order of the status.
    package var inputs: [Input]
    /// Names that a parameter accepts, by parameter: layouts, installed HRTF sets, rooms. A path is accepted too.
    package var choices: [String: [String]]

    /// Creates a picture; see the properties.
    package init(inputs: [Input], choices: [String: [String]]) {
        (self.inputs, self.choices) = (inputs, choices)
    }
}
