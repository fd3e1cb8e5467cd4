/// Time of one period, from the driver.
package struct PeriodTime: BitwiseCopyable, Sendable, Hashable {
    /// Whether the period's first frame is stream time 0 with silent history.
    package var restart: Bool
    /// Whether live poses apply; false in freewheel and offline, where the head faces the front without a pose or a
    /// log.
    package var live: Bool
    /// Whether frames of the inputs were lost before this period, because the server ran on without the graph.
    package var followsGap: Bool
    /// Host time of the period's first frame at the ears, seconds of the monotonic clock; unused unless `live`.
    package var heardAt: Double

    /// Holds the time of one period; an ordinary offline one by default.
    @_noLocks
    package init(restart: Bool = false, live: Bool = false, followsGap: Bool = false, heardAt: Double = 0) {
        self.restart = restart
        self.live = live
        self.followsGap = followsGap
        self.heardAt = heardAt
    }
}
