/// Signals that reach the ears past the stage, for one period: a reference to compare with the stage, and a talkback to
/// the listener. Rows of the period's frames, nil without one; the audio thread reads them during the period.
package struct MonitorFeed: BitwiseCopyable {
    /// Two channels of the reference; both or none.
    package var left: UnsafePointer<Float>?, right: UnsafePointer<Float>?
    /// Talkback, one channel for both ears.
    package var talkback: UnsafePointer<Float>?

    /// No signals.
    @_noLocks
    package init() {}

    /// Returns the same rows from frame `frame` on.
    @_noLocks
    package func from(_ frame: Int) -> MonitorFeed {
        var feed = MonitorFeed()
        if let left, let right { (feed.left, feed.right) = (left + frame, right + frame) }
        if let talkback { feed.talkback = talkback + frame }
        return feed
    }
}
