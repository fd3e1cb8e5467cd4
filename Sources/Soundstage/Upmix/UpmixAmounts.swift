import Glibc

/// Smoothed amounts of an upmix. Value, slope and curvature are continuous, whenever and however often the target
/// changes, so no change causes a click.
///
/// The amounts pass through three equal one-pole low-passes in series. These advance in steps of `step` frames, with
/// linear ramps between the steps. A change is complete to 99 % after 8.4 time constants, 84 ms. When the amounts are
/// within 10⁻⁶ of the target, about a fifth of a second after a change, they get the target's value and rest. The audio
/// thread uses the value by pointer.
struct UpmixAmounts: BitwiseCopyable {
    /// Time constant of each low-pass, seconds.
    private static var timeConstant: Double { 0.01 }
    /// Difference from the target below which the amounts are set to the target: −120 dB.
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

    /// Makes amounts at rest. `sampleRate` is in hertz.
    init(_ amounts: UpmixControls, step: Int, sampleRate: Double) {
        self.step = step
        share = Float(1 - exp(-Double(step) / (Self.timeConstant * sampleRate)))
        (first, second, now, target) = (amounts, amounts, amounts, amounts)
    }

    /// Sets the target. The amounts move to it from their present values.
    @_noLocks
    mutating func aim(at amounts: UpmixControls) {
        guard Self.distance(target, amounts) != 0 else { return }
        target = amounts
        rests = false
    }

    /// Sets the amounts to `amounts` without smoothing.
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

    /// Returns the largest difference between any two corresponding amounts.
    @_noLocks
    private static func distance(_ a: UpmixControls, _ b: UpmixControls) -> Float {
        max(abs(a.centre - b.centre), max(abs(a.width - b.width), abs(a.ambience - b.ambience)))
    }
}
