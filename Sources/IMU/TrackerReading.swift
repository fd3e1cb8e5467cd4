import Geometry

/// One decoded message of a tracker in the axes of Proscenium, with the sender's time and message number if the format
/// has them.
package struct TrackerReading: Hashable, Sendable {
    /// The measurement or event.
    package var motion: TrackerMotion
    /// Time of the sender's clock at the measurement; `nil` if the message has none.
    package var stamp: SenderStamp?
    /// Message number of the sender; `nil` if the message has none.
    package var sequence: SenderSequence?

    /// Creates a reading.
    package init(_ motion: TrackerMotion, stamp: SenderStamp? = nil, sequence: SenderSequence? = nil) {
        self.motion = motion
        self.stamp = stamp
        self.sequence = sequence
    }
}

/// A measurement or event of a tracker.
package enum TrackerMotion: Hashable, Sendable {
    /// A fused orientation, with the angular rate in body axes (rad/s) if the tracker also sends its gyroscope.
    case orientation(Rotation<Body, World>, rate: SIMD3<Double>? = nil)
    /// A raw IMU's measurement, still to be fused.
    case inertial(InertialSample)
    /// Recentring requested by the user at the tracker (a button, a tap): of the heading only, or of all axes.
    case recentre(full: Bool)
    /// Jump of the tracker's reference: later orientations do not continue the earlier ones.
    case discontinuity
}

/// Time of a sender's clock. The zero of the clock is arbitrary. The clock may run fast or slow, wrap, or restart.
package struct SenderStamp: Hashable, Sendable {
    /// Time, seconds.
    package var seconds: Double
    /// Seconds after which the clock wraps to 0; `nil` if it does not wrap within a day.
    package var wrap: Double?
    /// Nominal length of one count in seconds, such as 1e-9 for nanoseconds. Nil if the format leaves no doubt about
    /// its unit.
    package var unit: Double?

    /// Creates a stamp.
    package init(seconds: Double, wrap: Double? = nil, unit: Double? = nil) {
        self.seconds = seconds
        self.wrap = wrap
        self.unit = unit
    }
}

/// Message number of a sender.
package struct SenderSequence: Hashable, Sendable {
    /// The number, below `modulus`.
    package var number: UInt64
    /// Modulus at which the number wraps to 0; `nil` for counters that do not wrap.
    package var modulus: UInt64?

    /// Creates a message number.
    package init(_ number: UInt64, modulus: UInt64? = nil) {
        self.number = number
        self.modulus = modulus
    }
}
