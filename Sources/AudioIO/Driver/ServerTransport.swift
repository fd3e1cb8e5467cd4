/// Position of a server's transport.
package struct ServerTransport: Hashable, Sendable {
    /// Frame of the transport, as accurate as is known between two cycles.
    package var frame: Int64 = 0
    /// Whether it rolls.
    package var isRolling = false
    /// Beats per minute; nil without a timebase client.
    package var beatsPerMinute: Double?

    /// Sets all fields.
    package init(frame: Int64 = 0, isRolling: Bool = false, beatsPerMinute: Double? = nil) {
        self.frame = frame
        self.isRolling = isRolling
        self.beatsPerMinute = beatsPerMinute
    }

    /// Returns whether it follows from an earlier position by rolling or standing for `frames` at the same tempo,
    /// within `tolerance` frames.
    package func goesOn(from earlier: ServerTransport, after frames: Int64, tolerance: Int64) -> Bool {
        guard isRolling == earlier.isRolling, beatsPerMinute == earlier.beatsPerMinute else { return false }
        return abs(frame - earlier.frame - (isRolling ? frames : 0)) <= tolerance
    }
}
