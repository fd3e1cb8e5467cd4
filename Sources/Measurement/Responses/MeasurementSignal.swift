import Soundstage

/// The sound that was played while the takes were recorded.
package enum MeasurementSignal: Sendable {
    /// One sweep in a sound file, played by the loudspeakers of a layout one after the other, with `pause` seconds of
    /// silence before each. The names of the takes give the loudspeakers and the yaw (`TakeFileName`). With `isApart`,
    /// the recordings began at any time, and the sweeps are found in them.
    case sweep(path: String, layout: Layout, pause: Double, isApart: Bool = false)
    /// The sweeps that a text file describes (`PlayedSweeps`). The names of the takes give the yaw.
    case plan(path: String)
}
