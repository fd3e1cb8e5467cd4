import Glibc

/// Smoothed amounts of an upmix: value, slope and curvature are continuous, whenever and however often the target
/// changes, so that no change clicks.
///
/// Three equal one-pole low-passes in series, advanced in steps of `step` frames, with linear ramps between the steps.
/// A change is complete to 99 % after 8.4 time constants, 84 ms. Within 10⁻⁶ of the target, after a fifth of a second,
/// the amounts take its value and rest. Reached by pointer on the audio thread.
struct UpmixAmounts: BitwiseCopyable {
    /// Time constant of each low-pass, seconds.
    private static var timeConstant: Double { 0.01 }
    /// Distance to the target below which the amounts take its value: −120 dB.
    private static var nearness: Float { @_noLocks get { 1e-6 } }

    /// Frames per step.
    let step: Int
    /// Coefficient of each low-pass per step.
    private let share: Float
    private var first: UpmixControls
    private var second: UpmixControls
    /// Present amounts.
    private(set) var now: UpmixControls
    private var target: UpmixControls
    /// Whether the amounts have reached their target.
    private(set) var rests = true

    /// Makes amounts at rest; the rate is in hertz.
    init(_ amounts: UpmixControls, step: Int, sampleRate: Double) {
        self.step = step
        share = Float(1 - exp(-Double(step) / (Self.timeConstant * sampleRate)))
        (first, second, now, target) = (amounts, amounts, amounts, amounts)
    }

    /// Sets the target; the amounts move there from their present values.
    @_noLocks
    mutating func aim(at amounts: UpmixControls) {
        guard Self.distance(target, amounts) != 0 else { return }
        target = amounts
        rests = false
    }

    /// Jumps to `amounts`.
    @_noLocks
    mutating func jump(to amounts: UpmixControls) {
        (first, second, now, target) = (amounts, amounts, amounts, amounts)
        rests = true
    }

    /// Advances by `step` frames.
    @_noLocks
    mutating func advance() {
        first = Self.moved(first, to: target, share)
        second = Self.moved(second, to: first, share)
        now = Self.moved(now, to: second, share)
        let behind = max(Self.distance(second, target), Self.distance(now, target))
        if max(Self.distance(first, target), behind) < Self.nearness { jump(to: target) }
    }

    @_noLocks
    private static func moved(_ from: UpmixControls, to: UpmixControls, _ share: Float) -> UpmixControls {
        var amounts = from
        amounts.centre += share * (to.centre - from.centre)
        amounts.width += share * (to.width - from.width)
        amounts.ambience += share * (to.ambience - from.ambience)
        return amounts
    }

    /// Returns the largest difference of any amount.
    @_noLocks
    private static func distance(_ a: UpmixControls, _ b: UpmixControls) -> Float {
        max(abs(a.centre - b.centre), max(abs(a.width - b.width), abs(a.ambience - b.ambience)))
    }
}
