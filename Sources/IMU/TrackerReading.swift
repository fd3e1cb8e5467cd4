import Geometry

/// One decoded message of a tracker: in the axes of this package, with the sender's time and count where present.
package struct TrackerReading: Hashable, Sendable {
    /// The measurement or event.
    package var motion: TrackerMotion
    /// Time of the sender's clock at the measurement; `nil` for formats without one.
    package var stamp: SenderStamp?
    /// Message number of the sender; `nil` for formats without one.
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
    /// A fused orientation, with the angular rate in body axes (rad/s) where the tracker also sends its gyroscope.
    case orientation(Rotation<Body, World>, rate: SIMD3<Double>? = nil)
    /// A raw IMU's measurement, still to be fused.
    case inertial(InertialSample)
    /// Request by its user for a recentring (a button, a tap): of the heading only, or of all axes.
    case recentre(full: Bool)
    /// Jump of its reference: later orientations do not continue the earlier ones.
    case discontinuity
}

/// Time of a sender's clock. Its zero is arbitrary; it may run fast or slow, wrap, or begin anew.
package struct SenderStamp: Hashable, Sendable {
    /// Time, seconds.
    package var seconds: Double
    /// Seconds after which the clock wraps to 0; `nil` if it does not within a day.
    package var wrap: Double?
    /// Nominal length of one count in seconds, 1e-9 for nanoseconds; `nil` where the format has no unit that a sender
    /// could mistake.
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
