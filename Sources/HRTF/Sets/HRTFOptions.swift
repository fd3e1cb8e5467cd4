/// What is chosen of the way from a set's stored responses to what is played.
package struct HRTFOptions: Hashable, Sendable, Codable {
    /// Whether anything is done at all.
    package var processing = HRTFProcessing.automatic
    /// Whether the diffuse field is made flat; `automatic`: where it is more than 2 dB (rms) from it.
    package var diffuseField = HRTFTreatment.automatic
    /// Whether a rigid sphere takes the lowest frequencies over; `automatic`: where the set has no bass of its own.
    package var bass = HRTFTreatment.automatic
    /// What phase the responses have, their delays apart.
    package var phase = ResponsePhase.measured
    /// Circumference of the listener's head in centimetres, `circumferences`; nil: interaural delays stay the set's.
    package var headCircumference: Double?
    /// Distance of all sources in metres, `distances`; nil: as far as the set was measured.
    package var distance: Double?

    /// Distances of single sources, metres, where they have others than the rest: each has a field of its own, in this
    /// order behind the one of all others.
    package var sourceDistances: [Double] = []

    /// The most `sourceDistances` that one stage may have: each takes as much memory as the set.
    package static let mostDistances = 8
    /// Circumferences that adults' heads have, with room to either side, centimetres.
    package static let circumferences = 48.0...66.0
    /// Distances that sources may have, metres: a third of a radius from the largest head, to where all is far.
    package static let distances = 0.2...20.0

    /// The usual choices, or none of them.
    package init(processing: HRTFProcessing = .automatic) { self.processing = processing }

    /// Whether the set's own ear gain may be taken out with its diffuse field, or stays (`none`).
    package var equalisation: HRTFProcessing { diffuseField == .off ? .none : processing }

    /// The choices in one line, for the names under which prepared sets are kept: equal where the choices are.
    var word: String {
        func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "set" }
        return "\(processing.rawValue) \(diffuseField.rawValue) \(bass.rawValue) \(phase.rawValue) "
            + "\(number(headCircumference)) \(number(distance)) \(sourceDistances)"
    }

    /// Throws where one choice takes back another, or a number is none that a head or a source has.
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

/// Whether a step of the preparation is taken.
package enum HRTFTreatment: String, CaseIterable, Hashable, Sendable, Codable {
    /// Where the set needs it.
    case automatic = "auto"
    /// Whatever the set is.
    case on
    /// Never.
    case off
}

/// What phase responses have, their delays apart.
package enum ResponsePhase: String, CaseIterable, Hashable, Sendable, Codable {
    /// Their own.
    case measured
    /// The least that their magnitudes allow, behind the delays that they had.
    case minimum
}
