import Metering

/// The loudness of a running session, as `ctl status --json` and `ctl loudness` show it.
package struct LoudnessStatus: Codable, Hashable, Sendable {
    /// One input's meter.
    package struct Input: Codable, Hashable, Sendable {
        /// The input's name.
        package var name: String
        /// Its loudness as it is delivered, before levels, normalisation and compression.
        package var readings: LoudnessReadings
    }

    /// All inputs.
    package var inputs: [Input]
    /// What the two ears get. Informative only: BS.1770's filter already models a head, which the ears' signals have been through
    /// once, so that this figure and a loudspeaker programme's are not on one scale.
    package var ears: LoudnessReadings
    /// Frames that were not measured because the meters could not keep up.
    package var lostFrames: Int
}
