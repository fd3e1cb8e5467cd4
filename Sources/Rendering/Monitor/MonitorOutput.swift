import Signal

/// What the monitor section does to both ears on their way out: reference instead of stage, mono, level, talkback.
///
/// It comes last, behind the guard and behind where the ears are recorded and metered: what an engineer turns down, or
/// hears instead, is not what is delivered. A level above 0 dB, and whatever comes past the stage, has a guard of its
/// own without latency (`InstantGuard`); nothing else here can make a sample larger. Used by the audio thread alone.
struct MonitorOutput: ~Copyable {
    private var level: SmoothGain
    /// 1 where both ears get the same.
    private var mono: SmoothGain
    /// Gains of the stage, of the reference that is heard instead, and of the talkback.
    private var stage: SmoothGain, reference: SmoothGain, talkback: SmoothGain
    /// Mutes what comes past the stage where the gate mutes the stage.
    private var gate: Fade
    private let isGuarded: Bool
    private var boostGuard: InstantGuard
    private var hasBegun = false

    /// At rest; `isGuarded`: what is made louder is kept within full scale.
    init(isGuarded: Bool, sampleRate: Double) {
        level = SmoothGain(1, sampleRate: sampleRate)
        mono = SmoothGain(0, sampleRate: sampleRate)
        stage = SmoothGain(1, sampleRate: sampleRate)
        reference = SmoothGain(0, sampleRate: sampleRate)
        talkback = SmoothGain(0, sampleRate: sampleRate)
        gate = PlaybackGate.fade(sampleRate: sampleRate)
        self.isGuarded = isGuarded
        boostGuard = InstantGuard(sampleRate: sampleRate)
    }

    /// Works on `count` frames in place; changes no bit while nothing is asked for. What was asked for before the first
    /// frames is in force with them. `isOpen`: the gate lets the ears sound.
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
        let isSilent = talkback.rests(at: 0)
        if !isSilent { hearTalkback(left, right, count: count, feed.talkback, isOpen: isOpen) }
        gate.advance(count, comes: isOpen)
        if isGuarded && !(isStageAlone && isUnity && isSilent && boostGuard.rests) {
            _ = boostGuard.process(left, right, count: count)
        }
    }

    /// Sets out for what is asked for; at first it is in force at once.
    @_noLocks
    private mutating func aim(_ wanted: MonitorControls, isOpen: Bool) {
        let (ears, share): (Float, Float) = wanted.hearsReference ? (0, wanted.referenceGain) : (1, 0)
        if hasBegun {
            level.aim(at: wanted.level)
            mono.aim(at: wanted.isMono ? 1 : 0)
            stage.aim(at: ears)
            reference.aim(at: share)
            talkback.aim(at: wanted.talkbackGain)
        } else {
            hasBegun = true
            level.jump(to: wanted.level)
            mono.jump(to: wanted.isMono ? 1 : 0)
            stage.jump(to: ears)
            reference.jump(to: share)
            talkback.jump(to: wanted.talkbackGain)
            gate.jump(isIn: isOpen)
        }
    }

    /// Fades from the stage to the reference, or back.
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

    /// 0 in place of what is no number, and what is too large held at the loudest:
    /// a source that fails must not take the ears with it.
    @_noLocks
    private static func finite(_ sample: Float) -> Float {
        let size = abs(sample)
        if size <= Samples.loudest { return sample }
        return size <= .greatestFiniteMagnitude ? (sample < 0 ? -Samples.loudest : Samples.loudest) : 0
    }
}
