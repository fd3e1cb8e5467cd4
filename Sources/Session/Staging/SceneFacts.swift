/// What is to be told of scenes, their comparison and the print bus, in words.
struct SceneFacts: Sendable {
    /// Names of the scenes there can be.
    static let names = ["a", "b", "c", "d"]

    /// The scene that is heard.
    var scene: String
    /// The two that are compared blind, as `ab`, or `off`.
    var trial: String
    /// Which sound of the comparison is listened to; nil without one.
    var sound: String?
    /// Whether there is a print bus.
    var hasPrint: Bool
}
