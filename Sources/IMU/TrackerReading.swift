import Geometry

/// One thing a tracker said, as decoded: in our axes, with the sender's own time and count where its format has them.
package struct TrackerReading: Hashable, Sendable {
    /// What was said.
    package var motion: TrackerMotion
    /// The sender's clock at the measurement; `nil` for formats without one.
    package var stamp: SenderStamp?
    /// The sender's count of its messages; `nil` for formats without one.
    package var sequence: SenderSequence?

    /// A reading.
    package init(_ motion: TrackerMotion, stamp: SenderStamp? = nil, sequence: SenderSequence? = nil) {
        self.motion = motion
        self.stamp = stamp
        self.sequence = sequence
    }
}

/// What a tracker can say.
package enum TrackerMotion: Hashable, Sendable {
    /// A fused orientation, with the angular rate in body axes (rad/s) where the tracker sends its gyroscope too.
    case orientation(Rotation<Body, World>, rate: SIMD3<Double>? = nil)
    /// A raw IMU's measurement, still to be fused.
    case inertial(InertialSample)
    /// Its user asks for the front (a button, a tap): only the heading, or all axes.
    case recentre(full: Bool)
    /// Its reference jumped: what it says from now on does not continue what it said before.
    case discontinuity
}

/// A sender's clock at one moment. Its zero is arbitrary; it may run fast or slow, wrap, or begin anew.
package struct SenderStamp: Hashable, Sendable {
    /// Seconds.
    package var seconds: Double
    /// Seconds after which the clock begins again at 0; `nil` if it does not within a day.
    package var wrap: Double?
    /// Seconds of one count as the format has it, 1e-9 where it says nanoseconds; `nil` where it has no unit a sender
    /// could mistake.
    package var unit: Double?

    /// A stamp.
    package init(seconds: Double, wrap: Double? = nil, unit: Double? = nil) {
        self.seconds = seconds
        self.wrap = wrap
        self.unit = unit
    }
}

/// A sender's count of its messages.
package struct SenderSequence: Hashable, Sendable {
    /// The number, below `modulus`.
    package var number: UInt64
    /// The number after which it begins again at 0; `nil` for counters that do not.
    package var modulus: UInt64?

    /// A count.
    package init(_ number: UInt64, modulus: UInt64? = nil) {
        self.number = number
        self.modulus = modulus
    }
}
