/// Position of a server's transport.
package struct ServerTransport: Hashable, Sendable {
    /// Frame of the transport. Between two cycles it is an estimate.
    package var frame: Int64 = 0
    /// Whether the transport rolls.
    package var isRolling = false
    /// Tempo, beats per minute; nil without a timebase client.
    package var beatsPerMinute: Double?

    /// Makes a position; see the properties.
    package init(frame: Int64 = 0, isRolling: Bool = false, beatsPerMinute: Double? = nil) {
        self.frame = frame
        self.isRolling = isRolling
        self.beatsPerMinute = beatsPerMinute
    }

    /// Returns whether this position continues an earlier one, read `frames` frames before: the transport rolls or
    /// stands in both, at the same tempo, and `frame` differs by at most `tolerance` from the expected frame.
    package func goesOn(from earlier: ServerTransport, after frames: Int64, tolerance: Int64) -> Bool {
        guard isRolling == earlier.isRolling, beatsPerMinute == earlier.beatsPerMinute else { return false }
        return abs(frame - earlier.frame - (isRolling ? frames : 0)) <= tolerance
    }
}
