import Glibc

/// Orientations of the head that a tracker reported before, during and after a take (one recording of the sweeps).
package struct HeadLooks: Hashable, Sendable, Codable {
    /// One orientation: yaw and pitch, degrees; yaw positive to the left.
    package struct Look: Hashable, Sendable, Codable {
        /// Angles, degrees.
        package var yaw: Double, pitch: Double

        /// Makes an orientation.
        package init(yaw: Double, pitch: Double) { (self.yaw, self.pitch) = (yaw, pitch) }
    }

    /// Orientations in the order of time.
    package var looks: [Look]

    /// Largest permitted movement, degrees.
    package static let permitted = 1.0

    /// Creates the list from orientations.
    package init(_ looks: [Look]) { self.looks = looks }

    /// Largest change of the orientation from the first, degrees, yaw and pitch together.
    package var movement: Double {
        guard let first = looks.first else { return 0 }
        return looks.reduce(0) { most, look in
            let turn = remainder(look.yaw - first.yaw, 360) * cos(first.pitch * .pi / 180)
            return max(most, hypot(turn, look.pitch - first.pitch))
        }
    }
}
