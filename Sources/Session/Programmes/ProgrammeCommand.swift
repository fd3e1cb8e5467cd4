/// What can be asked of a programme while it plays.
package enum ProgrammeCommand: Sendable, Equatable {
    /// Its level, dB; −∞ is silence.
    case level(Double)
    /// Where its front is on the stage, degrees.
    case place(yaw: Double, pitch: Double, roll: Double)
    /// Over which angle each of its sources is spread, degrees, 0…180.
    case width(Double)
    /// Whether it has a stage, and whether that stands still.
    case mode(ProgrammeSettings.Mode)
    /// Whether its stereo is opened into the stage, where there is an upmix.
    case upmix(Bool)
    /// How far, each amount 0…1.
    case opening(centre: Double, width: Double, ambience: Double)
    /// What of it is placed on the stage.
    case spatialize(ProgrammeSettings.Spatialization)
    /// Which of its two renditions plays.
    case rendition(RenditionWord)
    /// Something said of its loudness or dynamics.
    case dynamics(DynamicsWord)
}
