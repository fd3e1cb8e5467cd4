import Signal

/// What the monitor section does to both ears on their way out: mono, then level.
///
/// It comes last, behind the guard and behind where the ears are recorded and metered: what an engineer turns down is
/// not what is delivered. A level above 0 dB has a guard of its own without latency (`InstantGuard`); nothing else here
/// can make a sample larger. Used by the audio thread alone.
struct MonitorOutput: ~Copyable {
    private var level: SmoothGain
    /// 1 where both ears get the same.
    private var mono: SmoothGain
    private let isGuarded: Bool
    private var boostGuard: InstantGuard
    private var hasBegun = false

    /// At rest; `isGuarded`: what is made louder is kept within full scale.
    init(isGuarded: Bool, sampleRate: Double) {
        level = SmoothGain(1, sampleRate: sampleRate)
        mono = SmoothGain(0, sampleRate: sampleRate)
        self.isGuarded = isGuarded
        boostGuard = InstantGuard(sampleRate: sampleRate)
    }

    /// Works on `count` frames in place; changes no bit while nothing is asked for. What was asked for before the first
    /// frames is in force with them.
    @_noLocks
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, wanted: MonitorControls
    ) {
        if hasBegun {
            level.aim(at: wanted.level)
            mono.aim(at: wanted.isMono ? 1 : 0)
        } else {
            hasBegun = true
            level.jump(to: wanted.level)
            mono.jump(to: wanted.isMono ? 1 : 0)
        }
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
        if isGuarded && !(isUnity && boostGuard.rests) { _ = boostGuard.process(left, right, count: count) }
    }
}
