/// Signals that reach the ears without passing the stage, for one period. They are a reference to compare with the
/// stage, and a talkback to the listener. Each is a row of the period's frames, or nil. The driver owns the rows; the
/// audio thread reads them during the period.
package struct MonitorFeed: BitwiseCopyable {
    /// The two channels of the reference. Either both are present or neither.
    package var left: UnsafePointer<Float>?, right: UnsafePointer<Float>?
    /// Talkback: one channel for both ears.
    package var talkback: UnsafePointer<Float>?

    /// Makes a feed without signals.
    @_noLocks
    package init() {}

    /// Returns the same rows, beginning at frame `frame`.
    @_noLocks
    package func from(_ frame: Int) -> MonitorFeed {
        var feed = MonitorFeed()
        if let left, let right { (feed.left, feed.right) = (left + frame, right + frame) }
        if let talkback { feed.talkback = talkback + frame }
        return feed
    }
}
