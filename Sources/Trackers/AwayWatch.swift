import Foundation
import Geometry

/// Decides whether the listener looks away from the front of the stage for long.
///
/// A pure value; times are arguments, seconds, which must not decrease.
package struct AwayWatch: Sendable, Equatable {
    /// What counts as looking away.
    package struct Limits: Sendable, Equatable {
        /// Angle from the front beyond which the head is turned away, radians; time for which it must stay so, seconds.
        package var angle: Double, delay: Double

        /// Creates limits; see the properties.
        package init(angle: Double, delay: Double) { (self.angle, self.delay) = (angle, delay) }
    }

    /// Angle by which the head must turn back beyond the limit, radians: a head at the limit switches nothing.
    package static let hysteresis = 10 * Double.pi / 180

    /// Time since which the head is turned away; nil while it faces the stage.
    private var since: Double?
    /// Whether the listener looks away for long.
    package private(set) var isAway = false

    /// Creates a watch of a head that faces the stage.
    package init() {}

    /// Takes the head's angle from the front at a time, radians 0…π. nil: it is unknown, as where the tracker is
    /// silent; the head then counts as facing the stage.
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
