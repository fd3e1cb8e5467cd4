/// Where a server's transport is.
package struct ServerTransport: Hashable, Sendable {
    /// Frame it is at, as nearly as that can be told between two cycles.
    package var frame: Int64 = 0
    /// Whether it rolls.
    package var isRolling = false
    /// Beats per minute; nil: no client leads the time.
    package var beatsPerMinute: Double?

    /// A transport; see the properties.
    package init(frame: Int64 = 0, isRolling: Bool = false, beatsPerMinute: Double? = nil) {
        self.frame = frame
        self.isRolling = isRolling
        self.beatsPerMinute = beatsPerMinute
    }

    /// Whether it went on from an earlier moment as it was then: as it rolled or stood for `frames`, at the same tempo,
    /// to within `tolerance` frames.
    package func goesOn(from earlier: ServerTransport, after frames: Int64, tolerance: Int64) -> Bool {
        guard isRolling == earlier.isRolling, beatsPerMinute == earlier.beatsPerMinute else { return false }
        return abs(frame - earlier.frame - (isRolling ? frames : 0)) <= tolerance
    }
}
