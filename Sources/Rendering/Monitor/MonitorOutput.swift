import Signal

/// Output part of the monitor section, for both ears: the reference in place of the stage, mono, level, the gain for a
/// listener who looks away, and talkback.
///
/// This part comes after the output limiter, and after the recording and metering of the ears. Monitor level and
/// reference therefore do not change the delivered sound. Unless the output limiter is off, a second limiter without
/// latency (`InstantGuard`) acts while the level is not 0 dB, or while a signal that bypasses the stage is heard. Mono,
/// and the gain for looking away, cannot make a sample larger. Only the audio thread uses this part.
struct MonitorOutput: ~Copyable {
    private var level: SmoothGain
    /// Gain for a listener who looks away.
    private var away: SmoothGain
    /// Share of the two ears' mean in each ear, 0…1.
    private var mono: SmoothGain
    /// Gains of the stage, of the reference that replaces it, and of the talkback.
    private var stage: SmoothGain, reference: SmoothGain, talkback: SmoothGain
    /// Fade that mutes the reference and the talkback while the gate mutes the stage.
    private var gate: Fade
    private let isGuarded: Bool
    private var boostGuard: InstantGuard
    private var hasBegun = false

    /// Time in which `away` reaches a new gain, seconds. It is long, so that a turn of the listener's head causes no
    /// audible step.
    static let awaySeconds = 0.5

    /// Makes an output at rest. If `isGuarded` is true, the limiter keeps the sound within full scale.
    init(isGuarded: Bool, sampleRate: Double) {
        level = SmoothGain(1, sampleRate: sampleRate)
        away = SmoothGain(1, seconds: Self.awaySeconds, sampleRate: sampleRate)
        mono = SmoothGain(0, sampleRate: sampleRate)
        stage = SmoothGain(1, sampleRate: sampleRate)
        reference = SmoothGain(0, sampleRate: sampleRate)
        talkback = SmoothGain(0, sampleRate: sampleRate)
        gate = PlaybackGate.fade(sampleRate: sampleRate)
        self.isGuarded = isGuarded
        boostGuard = InstantGuard(sampleRate: sampleRate)
    }

    /// Processes `count` frames in place. Neutral settings change no bit. The settings of the first call apply without
    /// a fade. `isOpen` is true if the gate is open.
    @_noLocks
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, wanted: MonitorControls,
        feed: MonitorFeed, isOpen: Bool
    ) {
        aim(wanted, isOpen: isOpen)
        let isStageAlone = stage.rests(at: 1) && reference.rests(at: 0)
        if !isStageAlone { hearReference(left, right, count: count, feed, isOpen: isOpen) }
        if !mono.rests(at: 0) {
            for i in 0..<count {
                let share = mono.value(ahead: i)
                let mean = (left[i] + right[i]) * 0.5
                left[i] = share == 1 ? mean : left[i] + (mean - left[i]) * share
                right[i] = share == 1 ? mean : right[i] + (mean - right[i]) * share
            }
            mono.advance(count)
        }
        let isUnity = level.rests(at: 1)
        if !isUnity {
            level.apply(to: left, count: count)
            level.apply(to: right, count: count)
            level.advance(count)
        }
        if !away.rests(at: 1) {
            away.apply(to: left, count: count)
            away.apply(to: right, count: count)
            away.advance(count)
        }
        let isSilent = talkback.rests(at: 0)
        if !isSilent { hearTalkback(left, right, count: count, feed.talkback, isOpen: isOpen) }
        gate.advance(count, comes: isOpen)
        if isGuarded && !(isStageAlone && isUnity && isSilent && boostGuard.rests) {
            _ = boostGuard.process(left, right, count: count)
        }
    }

    /// Sets the targets of all gains. The first settings apply without a fade.
    @_noLocks
    private mutating func aim(_ wanted: MonitorControls, isOpen: Bool) {
        let (ears, share): (Float, Float) = wanted.hearsReference ? (0, wanted.referenceGain) : (1, 0)
        if hasBegun {
            level.aim(at: wanted.level)
            away.aim(at: wanted.awayGain)
            mono.aim(at: wanted.isMono ? 1 : 0)
            stage.aim(at: ears)
            reference.aim(at: share)
            talkback.aim(at: wanted.talkbackGain)
        } else {
            hasBegun = true
            level.jump(to: wanted.level)
            away.jump(to: wanted.awayGain)
            mono.jump(to: wanted.isMono ? 1 : 0)
            stage.jump(to: ears)
            reference.jump(to: share)
            talkback.jump(to: wanted.talkbackGain)
            gate.jump(isIn: isOpen)
        }
    }

    /// Applies the crossfade between the stage and the reference.
    @_noLocks
    private mutating func hearReference(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, _ feed: MonitorFeed,
        isOpen: Bool
    ) {
        stage.apply(to: left, count: count)
        stage.apply(to: right, count: count)
        if let fromLeft = feed.left, let fromRight = feed.right, !reference.rests(at: 0) {
            for i in 0..<count {
                let gain = reference.value(ahead: i) * gate.smooth(ahead: i, comes: isOpen)
                left[i] += gain * Self.finite(fromLeft[i])
                right[i] += gain * Self.finite(fromRight[i])
            }
        }
        stage.advance(count)
        reference.advance(count)
    }

    /// Adds the talkback to both ears.
    @_noLocks
    private mutating func hearTalkback(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
        _ voice: UnsafePointer<Float>?, isOpen: Bool
    ) {
        if let voice {
            for i in 0..<count {
                let sample = talkback.value(ahead: i) * gate.smooth(ahead: i, comes: isOpen) * Self.finite(voice[i])
                left[i] += sample
                right[i] += sample
            }
        }
        talkback.advance(count)
    }

    /// Returns the sample limited to a magnitude of `Samples.loudest`, and 0 for an infinity or NaN. A faulty signal
    /// must not silence or disturb the ears.
    @_noLocks
    private static func finite(_ sample: Float) -> Float {
        let size = abs(sample)
        if size <= Samples.loudest { return sample }
        return size <= .greatestFiniteMagnitude ? (sample < 0 ? -Samples.loudest : Samples.loudest) : 0
    }
}
