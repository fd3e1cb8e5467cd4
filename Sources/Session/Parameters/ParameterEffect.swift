import HeadTracking
import Soundstage

extension Parameter {
    /// What setting a parameter does; each closure is given a value that the row has read.
    enum Effect: Sendable {
        /// Changes how a programme is played; in force with the next slice, faded or moved there.
        case controls(@Sendable (inout ProgrammeControls, ParameterValue, Programme) -> Void)
        /// Says something of a programme's loudness or dynamics, from which gains follow.
        case dynamics(@Sendable (inout DynamicsSettings, ParameterValue) -> Void)
        /// Changes how the head is followed; eased by the tracker.
        case tracking(@Sendable (inout HeadTrackerOptions, ParameterValue) -> Void)
        /// Plays the room, or the stage dry.
        case room
    }
}

/// What an input is that a parameter is to be set of, as far as it may have to refuse.
struct ProgrammeRefusal: Sendable {
    /// The input.
    let programme: Programme
    /// The layout of the sound field where the input is one; nil for loudspeakers.
    let field: Layout?
    /// Whether its sources stand in a room as it was measured.
    let isMeasured: Bool
}
