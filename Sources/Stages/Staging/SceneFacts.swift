/// What is to be told of scenes, their comparison and the print bus, in words.
package struct SceneFacts: Sendable {
    /// Names of the scenes there can be.
    package static let names = ["a", "b", "c", "d"]

    /// The scene that is heard.
    package var scene: String
    /// The two that are compared blind, as `ab`, or `off`.
    package var trial: String
    /// Which sound of the comparison is listened to; nil without one.
    package var sound: String?
    /// Whether there is a print bus.
    package var hasPrint: Bool

    /// The facts as they are told; see the properties.
    package init(scene: String, trial: String, sound: String?, hasPrint: Bool) {
        (self.scene, self.trial, self.sound, self.hasPrint) = (scene, trial, sound, hasPrint)
    }
}
