import Glibc

/// The amounts of an upmix on their way to what was last asked for: value, slope and curvature are continuous, whenever
/// and however often that changes, so that no change is heard as a click.
///
/// Three equal one-pole low-passes in a row, moved on in steps of `step` frames between which amounts go in straight
/// lines. 99 % of a change is done after 8.4 time constants, 84 ms; within 10⁻⁶ of it they arrive, after a fifth of a
/// second, and rest. Reached by pointer on the audio thread.
struct UpmixAmounts: BitwiseCopyable {
    /// Seconds of each low-pass's time constant.
    private static var timeConstant: Double { 0.01 }
    /// Distance from which they arrive: −120 dB.
    private static var nearness: Float { @_noLocks get { 1e-6 } }

    /// Frames from one point of the course to the next.
    let step: Int
    /// Share of the distance that each low-pass makes in a step.
    private let share: Float
    private var first: UpmixControls
    private var second: UpmixControls
    /// Where they are now.
    private(set) var now: UpmixControls
    private var target: UpmixControls
    /// Whether they are where they were asked to be.
    private(set) var rests = true

    /// Amounts at rest, at a rate in hertz.
    init(_ amounts: UpmixControls, step: Int, sampleRate: Double) {
        self.step = step
        share = Float(1 - exp(-Double(step) / (Self.timeConstant * sampleRate)))
        (first, second, now, target) = (amounts, amounts, amounts, amounts)
    }

    /// Sets out for other amounts from where they are.
    @_noLocks
    mutating func aim(at amounts: UpmixControls) {
        guard Self.distance(target, amounts) != 0 else { return }
        target = amounts
        rests = false
    }

    /// Are at `amounts` at once.
    @_noLocks
    mutating func jump(to amounts: UpmixControls) {
        (first, second, now, target) = (amounts, amounts, amounts, amounts)
        rests = true
    }

    /// Moves on by `step` frames.
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

    /// The largest difference of any amount.
    @_noLocks
    private static func distance(_ a: UpmixControls, _ b: UpmixControls) -> Float {
        max(abs(a.centre - b.centre), max(abs(a.width - b.width), abs(a.ambience - b.ambience)))
    }
}
