import Geometry

/// Where one input channel sounds from.
package struct SourcePlacement: Sendable, Hashable {
    /// How a source relates to the head's motion.
    package enum Motion: Sendable, Hashable {
        /// Stays on the stage: moves against the head when it turns.
        case tracked
        /// Stays with the head: its direction is taken in the head's frame.
        case fixed
        /// Goes to the ears with these gains, without HRTF, delayed by the mean arrival of a frontal source so that it
        /// keeps time with the others.
        case direct(left: Float, right: Float)
    }

    /// Direction on the stage (for `.fixed`: the same numbers in the head's frame; for `.direct`: unused).
    package var direction: Direction<Stage>
    /// Linear gain.
    package var gain: Float
    /// Relation to the head's motion.
    package var motion: Motion
    /// The programme it belongs to, counted from 0: its place and its tie to the head are the programme's.
    package var programme: Int
    /// The angle over which it is spread to both sides together, radians, 0…π; it is never narrower. For `.direct`:
    /// unused.
    package var width: Double
    /// Which of the field's shells it is filtered by, counted from 0: the one for its distance. For `.direct`: unused.
    package var shell: Int

    /// A source of the given gain (linear).
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
