import IMU

/// How head tracking behaves; every default is meant to be left alone.
package struct HeadTrackerOptions: Hashable, Sendable {
    /// What the head is tracked against.
    package enum Reference: String, Hashable, Sendable, CaseIterable {
        /// The device or vehicle, once it has been heard; before that, as `head`.
        case device
        /// The head's own reference, whatever the device does.
        case head
        /// Nothing: the stage is in front and stays there.
        case still = "static"
    }

    /// What the head is tracked against. A change is eased over `choiceDuration`; what was in front stays in front.
    /// Default `.device`.
    package var reference = Reference.device
    /// How much of the head's yaw, pitch and roll the stage follows, each 0…1; see `Quaternion.following`. A change is
    /// eased over `choiceDuration`. Default all.
    package var follow: SIMD3<Double> {
        get { SIMD3(followedYaw, followedPitch, followedRoll) }
        set { (followedYaw, followedPitch, followedRoll) = (newValue.x, newValue.y, newValue.z) }
    }
    // Three numbers: the frames of asynchronous functions do not keep the alignment of vectors (Swift 6.3).
    private var followedYaw = 1.0
    private var followedPitch = 1.0
    private var followedRoll = 1.0
    /// How raw IMUs are fused, head and device alike: what both get wrong in the same way cancels.
    package var fusion = InertialOptions()
    /// Seconds over which a change of `reference` or `follow` is eased. Default 0.5 s.
    package var choiceDuration = 0.5
    /// Degrees per second that easing adds to the motion of the stage at most: large corrections take longer than
    /// stated. Default 500°/s, 0.7° per slice of 64 samples.
    package var easingSpeed = 500.0
    /// Seconds of silence after which a stream counts as stale; three of its own periods where that is longer.
    /// Smaller: transitions begin sooner, and a late packet is taken for a loss. Default 0.15 s.
    package var timeout = 0.15
    /// Time constant in seconds with which a silent head comes to rest after the 0.11 s for which its turn is
    /// predicted; then the relative pose is held. At the default an even turn goes on by about 0.18 s at its rate: in a
    /// silence of 0.4 s a head that turns on and one that stops are then missed by about the same. Default 0.12 s.
    package var headCoast = 0.12
    /// Seconds past a device's last sample for which its turn goes on fully: vehicles turn evenly and for long.
    /// Default 0.3 s.
    package var deviceSteady = 0.3
    /// Time constant in seconds with which a silent device's turn dies away after that; then its orientation is held.
    /// Default 0.25 s.
    package var deviceCoast = 0.25
    /// Seconds over which what a sample corrects in the forecast fades in: a sample every 10 ms would else move the
    /// stage in steps. Longer: smoother, and later by as much. 0 turns it off. Default 0.006 s.
    package var blending = 0.006
    /// Degrees per second of that at most: what comes in a bunch after a hold-up fades in more slowly. Default 350°/s.
    package var blendingSpeed = 350.0
    /// Seconds a stream that returns is listened to before it is used, four samples at least: its rate must be known.
    /// Default 0.05 s.
    package var settling = 0.05
    /// Seconds over which the stage goes back to its place when a stream returns. With `settling` it is back within
    /// 0.3 s of the first sample. Default 0.25 s.
    package var returnDuration = 0.25
    /// Seconds over which a recentring is eased. Default 0.2 s.
    package var recentreDuration = 0.2
    /// Seconds of silence of the head after which the stage goes to the front; ∞ holds it for ever. A tracker that
    /// never streamed (single messages sent by hand) is held for ever. Default 5 s.
    package var frontAfter = 5.0
    /// Seconds that going to the front takes. Default 1 s.
    package var frontDuration = 1.0
    /// Degrees per second by which the yaw of head against device is pulled to the front: two gyroscopes have no common
    /// north, and drift apart. Only while both stream, the yaw is below `yawPullRange` and the head slower than
    /// `yawPullSpeed`. 0 turns it off. Default 0.1°/s.
    package var yawPull = 0.1
    /// Degrees from the front within which yaw is pulled. Default 15°.
    package var yawPullRange = 15.0
    /// Degrees per second of the head above which yaw is not pulled. Default 5°/s.
    package var yawPullSpeed = 5.0
    /// Seconds from now to the time at which a slice computed now is heard: what easing must be continuous at. The
    /// session sets it from the driver's latency. Default 0.03 s.
    package var playbackLead = 0.03

    /// Everything at its default.
    package init() {}
}
