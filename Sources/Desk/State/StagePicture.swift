/// What a stage looks like, for drawing: where the loudspeakers of each input stand, at which place among the
/// meters their channels are, and what can be chosen in place of what is there.
package struct StagePicture: Codable, Sendable, Equatable {
    /// A loudspeaker as it stands round its input's front.
    package struct Place: Codable, Sendable, Equatable {
        /// Its symbol, as in ports and addresses.
        package var name: String
        /// Its name for people.
        package var title: String
        /// Degrees counter-clockwise from the front, and up from the horizon.
        package var azimuth: Double, elevation: Double
        /// Whether it is one of low frequencies, which has no direction.
        package var isLowFrequency: Bool
        /// Its number among the meters of the inputs; nil where no channel comes in for it.
        package var meter: Int?

        /// All of it; see the properties.
        package init(
            name: String, title: String, azimuth: Double, elevation: Double, isLowFrequency: Bool, meter: Int? = nil
        ) {
            (self.name, self.title, self.azimuth, self.elevation) = (name, title, azimuth, elevation)
            (self.isLowFrequency, self.meter) = (isLowFrequency, meter)
        }
    }
    /// An input, an effect, or the sound field.
    package struct Input: Codable, Sendable, Equatable {
        /// The name by which commands know it.
        package var name: String
        /// Its layout's name.
        package var layout: String
        /// Whether other inputs are sent to it.
        package var isEffect: Bool
        /// Its loudspeakers; none for a sound field.
        package var loudspeakers: [Place]
        /// The numbers of its channels among the meters of the inputs: first those of the layout, then its stereo.
        package var meters: [Int]

        /// All of it; see the properties.
        package init(
            name: String, layout: String, isEffect: Bool, loudspeakers: [Place], meters: [Int]
        ) {
            (self.name, self.layout, self.isEffect, self.loudspeakers) = (name, layout, isEffect, loudspeakers)
            self.meters = meters
        }
    }
    /// What comes in, in the order of the status.
    package var inputs: [Input]
    /// By parameter, what can be chosen by a name: layouts, sets that are installed, rooms. A path is taken too.
    package var choices: [String: [String]]

    /// All of it; see the properties.
    package init(
        inputs: [Input], choices: [String: [String]]
    ) {
        (self.inputs, self.choices) = (inputs, choices)
    }
}
