/// Status of scenes, of their comparison, and of the print bus (a second output, for a head that faces the front), as
/// words.
package struct SceneFacts: Sendable {
    /// Names of the possible scenes.
    package static let names = ["a", "b", "c", "d"]

    /// The scene that plays.
    package var scene: String
    /// The two scenes of a blind comparison, for example `ab`, or `off`.
    package var trial: String
    /// The sound of the comparison that plays; nil without one.
    package var sound: String?
    /// Whether the print bus is on, or is to be rebuilt after an outage.
    package var hasPrint: Bool

    /// Creates facts; see the properties.
    package init(scene: String, trial: String, sound: String?, hasPrint: Bool) {
        (self.scene, self.trial, self.sound, self.hasPrint) = (scene, trial, sound, hasPrint)
    }
}
