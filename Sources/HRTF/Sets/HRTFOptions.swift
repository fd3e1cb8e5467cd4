/// Options of the preparation: the steps from a set's stored responses to the played ones.
package struct HRTFOptions: Hashable, Sendable, Codable {
    /// Whether the responses are processed at all.
    package var processing = HRTFProcessing.automatic
    /// Whether the diffuse field is equalised. `automatic` does so if a third of an octave deviates from flat by more
    /// than 1 dB.
    package var diffuseField = HRTFTreatment.automatic
    /// Whether a rigid sphere replaces the lowest frequencies. `automatic` does so if the set lacks bass.
    package var bass = HRTFTreatment.automatic
    /// Phase of the responses without their delays.
    package var phase = ResponsePhase.measured
    /// Circumference of the listener's head, cm, within `circumferences`; nil keeps the set's interaural delays.
    package var headCircumference: Double?
    /// Distance of all sources, metres, within `distances`; nil keeps the distance of measurement.
    package var distance: Double?

    /// Distances of single sources that differ from `distance`, metres. Each distance has its own field. These fields
    /// follow the field for `distance`, in this order.
    package var sourceDistances: [Double] = []

    /// Largest number of `sourceDistances` of a stage. Each needs memory for a field of its own.
    package static let mostDistances = 8
    /// Permitted circumferences, centimetres: the range of adults' heads with a margin.
    package static let circumferences = 48.0...66.0
    /// Permitted distances of sources, metres: from 4/3 of the largest radius that is fitted (0.15 m) to the far field.
    package static let distances = 0.2...20.0

    /// Creates the default options with the given processing.
    package init(processing: HRTFProcessing = .automatic) { self.processing = processing }

    /// Equalisation of the played set, which decides what headphone equalisation fits it: `none` if `diffuseField` is
    /// `off`, because the set then keeps the gain of the outer ear; otherwise `processing`.
    package var equalisation: HRTFProcessing { diffuseField == .off ? .none : processing }

    /// The options in one line; equal options give equal lines. The line is hashed into the names of prepared sets.
    /// Swift's own description of a structure contains every stored property with all digits.
    var word: String { "\(self)" }

    /// Throws if two options exclude each other, if a circumference or distance is outside its range, or if there are
    /// too many distances.
    func check() throws(HRTFError) {
        if let circumference = headCircumference, !HRTFOptions.circumferences.contains(circumference) {
            throw .options(
                reason:
                    "a head's circumference is 48 to 66 cm, not \(circumference); measure it above the ears and eyebrows"
            )
        }
        for distance in [distance].compactMap(\.self) + sourceDistances
        where !HRTFOptions.distances.contains(distance) {
            throw .options(reason: "sources stand 0.2 to 20 m from the head, not \(distance)")
        }
        guard sourceDistances.count <= HRTFOptions.mostDistances else {
            throw .options(
                reason:
                    "loudspeakers and voices at \(sourceDistances.count) distances, more than \(HRTFOptions.mostDistances): "
                    + "each has a field of its own; give some of them the same")
        }
        guard processing == .none else { return }
        let asked = [
            diffuseField == .on ? "a diffuse field that is equalised" : nil,
            bass == .on ? "a low-frequency extension" : nil,
            phase == .minimum ? "responses of minimum phase" : nil,
            headCircumference == nil ? nil : "interaural delays for a head's circumference",
            distance == nil && sourceDistances.isEmpty ? nil : "a distance of the sources",
        ].compactMap(\.self)
        guard asked.isEmpty else {
            throw .options(
                reason:
                    "without processing a set plays as it is stored, which rules out \(asked.joined(separator: ", ")); "
                    + "choose one or the other")
        }
    }
}

/// Condition for a step of the preparation.
package enum HRTFTreatment: String, CaseIterable, Hashable, Sendable, Codable {
    /// If the set needs it.
    case automatic = "auto"
    /// For every set.
    case on
    /// Never.
    case off
}

/// Phase of responses without their delays.
package enum ResponsePhase: String, CaseIterable, Hashable, Sendable, Codable {
    /// The measured phase.
    case measured
    /// The minimum phase of their magnitudes, after the measured delays.
    case minimum
}
