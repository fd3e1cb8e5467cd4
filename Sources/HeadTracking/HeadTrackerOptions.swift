import IMU

/// Options of head tracking, with defaults for ordinary use.
package struct HeadTrackerOptions: Hashable, Sendable {
    /// Reference of the head's orientation.
    package enum Reference: String, Hashable, Sendable, CaseIterable {
        /// The device or vehicle, after its first estimate; before that the same as `head`.
        case device
        /// The earth, as the head's tracker measures it, with an arbitrary heading. The device has no effect.
        case head
        /// No reference: the sound stage stays in front of the listener.
        case still = "static"
    }

    /// Reference of the head's orientation. A change is eased over `choiceDuration`; the sound in front stays in front.
    /// Default `.device`.
    package var reference = Reference.device
    /// Shares of the head's yaw, pitch and roll that the stage follows, each 0…1; see `Quaternion.following`. A change
    /// is eased over `choiceDuration`. Default 1 each.
    package var follow: SIMD3<Double> {
        get { SIMD3(followedYaw, followedPitch, followedRoll) }
        set { (followedYaw, followedPitch, followedRoll) = (newValue.x, newValue.y, newValue.z) }
    }
    // Three numbers, because the frames of asynchronous functions do not keep the alignment of vectors (Swift 6.3).
    private var followedYaw = 1.0
    private var followedPitch = 1.0
    private var followedRoll = 1.0
    /// Options of the fusion of raw IMUs, the same for head and device, so that common errors cancel. Brief rests do
    /// not correct the bias here.
    package var fusion: InertialOptions = {
        var options = InertialOptions()
        options.briefRestTime = options.restTime
        return options
    }()
    /// Seconds over which a change of `reference` or `follow` is eased. Default 0.5 s.
    package var choiceDuration = 0.5
    /// Greatest speed that easing adds to the motion of the stage, degrees per second. Large corrections therefore take
    /// longer than stated. Default 500°/s, or 0.7° in 64 samples at 48 kHz.
    package var easingSpeed = 500.0
    /// Seconds of silence after which a stream counts as stale; at least three of its periods are used. With a smaller
    /// value transitions begin sooner, but late samples more often count as silence. Default 0.15 s.
    package var timeout = 0.15
    /// Time constant, seconds, with which the head's rate decays while its tracker is silent, after the prediction of
    /// 0.11 s. Then the relative pose is held. With the default an even turn continues by the angle that it covers in
    /// about 0.18 s. After 0.4 s of silence the error is about the same for heads that continue to turn and heads that
    /// stop. Default 0.12 s.
    package var headCoast = 0.12
    /// Seconds after a device's last sample for which its turn continues at the full rate, because vehicles turn evenly
    /// and for long. Default 0.3 s.
    package var deviceSteady = 0.3
    /// Time constant in seconds with which a silent device's turn decays after `deviceSteady`; then its orientation is
    /// held. Default 0.25 s.
    package var deviceCoast = 0.25
    /// Seconds over which a sample's correction of the forecast fades in. Without this fade a sample every 10 ms would
    /// move the stage in steps. A longer fade is smoother, but adds latency. 0 turns it off. Default 0.006 s.
    package var blending = 0.006
    /// Greatest speed of a sample's correction, degrees per second, so that bunches of delayed samples fade in more
    /// slowly. In streams below 40 samples a second the correction may also reach a multiple of the head's own speed,
    /// at most three times at 25 samples a second or fewer. Default 350°/s.
    package var blendingSpeed = 350.0
    /// Seconds for which the new filter of a returning stream of orientations runs before it is used, because it must
    /// first find the rate. With fewer than four samples `timeout` applies instead. Default 0.05 s.
    package var settling = 0.05
    /// Seconds over which the pose eases to a returned stream. With `settling` the stage is in place within 0.3 s of
    /// the first sample. Default 0.25 s.
    package var returnDuration = 0.25
    /// Seconds over which a recentring is eased. Default 0.2 s.
    package var recentreDuration = 0.2
    /// Seconds of silence of the head after which the stage goes to the front; ∞ holds the last pose. The pose of a
    /// tracker with at most 20 samples in a row, such as single messages sent by hand, is always held. Default 5 s.
    package var frontAfter = 5.0
    /// Duration of the move to the front, seconds. Default 1 s.
    package var frontDuration = 1.0
    /// Degrees per second by which the yaw of the head relative to the device is pulled to the front, because two
    /// gyroscopes have no common north and drift apart. The pull acts only on fresh streams, while the yaw is below
    /// `yawPullRange` and the head slower than `yawPullSpeed`. A known error above 0.5° is corrected at the same rate,
    /// at any yaw and speed. A single tracker that sends orientations has a north of its own, and is pulled only by a
    /// rate above the default. 0 turns the pull off. Default 0.1°/s.
    package var yawPull = 0.1
    /// Degrees from the front within which yaw is pulled. Default 15°.
    package var yawPullRange = 15.0
    /// Speed of the head above which yaw is not pulled, degrees per second. Default 5°/s.
    package var yawPullSpeed = 5.0
    /// Seconds from now until sound that is rendered now is heard; easing must be continuous at that time. The session
    /// sets it from the driver's latency. Default 0.03 s.
    package var playbackLead = 0.03

    /// Creates the defaults.
    package init() {}
}
