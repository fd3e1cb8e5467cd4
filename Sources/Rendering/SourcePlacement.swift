import Geometry

/// Placement of one source.
package struct SourcePlacement: Sendable, Hashable {
    /// How a source relates to the head's motion.
    package enum Motion: Sendable, Hashable {
        /// Fixed to the stage. It moves relative to the head when the head turns.
        case tracked
        /// Fixed to the head. Its direction is in head axes.
        case fixed
        /// Played to the ears with these linear gains, without HRTF. The source is delayed by the arrival time of a
        /// frontal source, so that it is in time with the other sources.
        case direct(left: Float, right: Float)
    }

    /// Direction on the stage. For `.fixed` it is in head axes, for `.direct` it is unused.
    package var direction: Direction<Stage>
    /// Linear gain.
    package var gain: Float
    /// How the source relates to the head's motion.
    package var motion: Motion
    /// Index of the source's programme, counted from 0. The programme's rotation (place) and mode apply to the source.
    package var programme: Int
    /// Minimum angle over which the source is spread, from one end to the other, radians, 0…π. For `.direct` it is
    /// unused.
    package var width: Double
    /// Index of the shell (a measured distance of the HRTF set) for the source's distance, counted from 0. For
    /// `.direct` it is unused.
    package var shell: Int

    /// Makes a placement; see the properties. `gain` is linear.
    package init(
        direction: Direction<Stage>, gain: Float = 1, motion: Motion = .tracked, programme: Int = 0, width: Double = 0,
        shell: Int = 0
    ) {
        self.direction = direction
        self.gain = gain
        self.motion = motion
        self.programme = programme
        self.width = width
        self.shell = shell
    }
}
