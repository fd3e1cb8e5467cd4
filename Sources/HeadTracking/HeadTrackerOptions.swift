import IMU

/// Options of head tracking, with defaults for ordinary use.
package struct HeadTrackerOptions: Hashable, Sendable {
    /// Parameters that the user may change during a session.
    package var choices = Choices()
    /// Options of the fusion of raw IMUs, the same for head and device, so that common errors cancel. Brief rests do
    /// not correct the bias here.
    package var fusion: InertialOptions = {
        var options = InertialOptions()
        options.briefRestTime = options.restTime
        return options
    }()
    /// Seconds over which a change of the reference or of `follow` is eased. Default 0.5 s.
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
