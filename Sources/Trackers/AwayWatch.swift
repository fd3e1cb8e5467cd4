import Foundation
import Geometry

/// Decides whether the listener looks away from the front of the sound stage for long.
///
/// A pure value. Times are arguments of the calls, in seconds, and must not decrease.
package struct AwayWatch: Sendable, Equatable {
    /// Limits beyond which the listener looks away.
    package struct Limits: Sendable, Equatable {
        /// `angle`: angle from the front beyond which the head is turned away, radians. `delay`: seconds for which the
        /// head must stay turned away.
        package var angle: Double, delay: Double

        /// Creates limits; see the properties.
        package init(angle: Double, delay: Double) { (self.angle, self.delay) = (angle, delay) }
    }

    /// The head counts as facing the stage again when its angle from the front is this much below the limit, radians. A
    /// head that moves about the limit therefore does not switch the state repeatedly.
    package static let hysteresis = 10 * Double.pi / 180

    /// Time since which the head is turned away, seconds; nil while it is not.
    private var since: Double?
    /// Whether the head has been turned away for at least `Limits.delay`.
    package private(set) var isAway = false

    /// Creates a watch of a head that faces the stage.
    package init() {}

    /// Adds the head's angle from the front at a time, radians 0…π. The angle is nil while it is unknown, for example
    /// if the tracker is silent; the head then counts as facing the stage.
    package mutating func look(_ angle: Double?, _ limits: Limits, at now: Double) {
        let isBeyond = angle.map { $0 > limits.angle - (since == nil ? 0 : Self.hysteresis) } ?? false
        guard isBeyond else {
            (since, isAway) = (nil, false)
            return
        }
        let begin = since ?? now
        since = begin
        isAway = now - begin >= limits.delay
    }

    /// Returns the angle between the direction in which the head looks and the front of the stage, radians 0…π.
    package static func angle(_ headToStage: Quaternion) -> Double {
        // The first element of the rotation's matrix is the cosine: 1 − 2(y² + z²).
        let cosine = 1 - 2 * (headToStage.y * headToStage.y + headToStage.z * headToStage.z)
        return acos(max(-1, min(1, cosine)))
    }
}
