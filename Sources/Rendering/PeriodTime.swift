/// Time of one period, as the driver gives it.
package struct PeriodTime: BitwiseCopyable, Sendable, Hashable {
    /// Whether a stream begins with this period. The period's first frame is then stream time 0, and the history is
    /// silent.
    package var restart: Bool
    /// Whether live poses apply. In freewheel mode and offline they do not apply. The head then faces the front, unless
    /// the pose source is a fixed pose or a log.
    package var live: Bool
    /// Whether frames of the inputs were lost before this period, because the audio server continued while the
    /// `StageGraph` was not called.
    package var followsGap: Bool
    /// Host time at which the period's first frame reaches the ears, seconds of the monotonic clock. Used only if
    /// `live`.
    package var heardAt: Double

    /// Makes the time of one period. The defaults are those of an ordinary offline period.
    @_noLocks
    package init(restart: Bool = false, live: Bool = false, followsGap: Bool = false, heardAt: Double = 0) {
        self.restart = restart
        self.live = live
        self.followsGap = followsGap
        self.heardAt = heardAt
    }
}
