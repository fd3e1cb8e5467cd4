/// What a driver knows about the time of one period.
package struct PeriodTime: BitwiseCopyable, Sendable, Hashable {
    /// The period's first frame is stream time 0 with silent history.
    package var restart: Bool
    /// Live poses apply; false in freewheel and offline, where the head looks to the front unless a pose or a log is
    /// set.
    package var live: Bool
    /// Frames of the inputs were lost before this period: the server ran on without the graph.
    package var followsGap: Bool
    /// Host time at which the period's first frame is heard, seconds of the monotonic clock; unused unless `live`.
    package var heardAt: Double

    /// The time of one period; an ordinary offline one by default.
    @_noLocks
    package init(restart: Bool = false, live: Bool = false, followsGap: Bool = false, heardAt: Double = 0) {
        self.restart = restart
        self.live = live
        self.followsGap = followsGap
        self.heardAt = heardAt
    }
}
