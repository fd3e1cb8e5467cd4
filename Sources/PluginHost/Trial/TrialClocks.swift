/// What a trial measures time by, in nanoseconds.
package struct TrialClocks {
    /// Time that passes.
    let passed: () -> UInt64
    /// Time for which the calling thread had a processor: what a slice takes, whatever else the machine does.
    let worked: () -> UInt64

    /// Two clocks that never go back.
    package init(passed: @escaping () -> UInt64, worked: @escaping () -> UInt64) {
        self.passed = passed
        self.worked = worked
    }
}
