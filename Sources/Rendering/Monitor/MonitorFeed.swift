/// What reaches the ears past the stage, for one period: a reference to compare the stage with, and a voice that speaks
/// to the listener. Rows of the period's frames, null where there are none; read by the audio thread during the period.
package struct MonitorFeed: BitwiseCopyable {
    /// The two channels of the reference; both or none.
    package var left: UnsafePointer<Float>?, right: UnsafePointer<Float>?
    /// The voice, one channel for both ears.
    package var talkback: UnsafePointer<Float>?

    /// Neither.
    @_noLocks
    package init() {}

    /// The same rows from a later frame on.
    @_noLocks
    package func from(_ frame: Int) -> MonitorFeed {
        var feed = MonitorFeed()
        if let left, let right { (feed.left, feed.right) = (left + frame, right + frame) }
        if let talkback { feed.talkback = talkback + frame }
        return feed
    }
}
