import Geometry

/// Placement of one input channel.
package struct SourcePlacement: Sendable, Hashable {
    /// Relation of a source to the head's motion.
    package enum Motion: Sendable, Hashable {
        /// Fixed to the stage: moves against the head when it turns.
        case tracked
        /// Fixed to the head: its direction is in head axes.
        case fixed
        /// Fed to the ears with these gains, without HRTF, delayed by the mean arrival of a frontal source to keep time
        /// with the others.
        case direct(left: Float, right: Float)
    }

    /// Direction on the stage (for `.fixed`: the same numbers in head axes; for `.direct`: unused).
    package var direction: Direction<Stage>
    /// Linear gain.
    package var gain: Float
    /// Relation to the head's motion.
    package var motion: Motion
    /// Programme of the source, counted from 0; the source has its place and its tie to the head.
    package var programme: Int
    /// Least angle over which the source is spread, both sides together, radians, 0…π. For `.direct`: unused.
    package var width: Double
    /// Shell of the field for the source's distance, counted from 0. For `.direct`: unused.
    package var shell: Int

    /// Places a source of the given gain (linear).
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
