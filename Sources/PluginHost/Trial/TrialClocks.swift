/// Clocks of a trial, ns.
package struct TrialClocks {
    /// Elapsed time.
    let passed: () -> UInt64
    /// Processor time of the calling thread, which does not depend on the load of the machine.
    let worked: () -> UInt64

    /// Makes a pair of clocks, which must not decrease.
    package init(passed: @escaping () -> UInt64, worked: @escaping () -> UInt64) {
        self.passed = passed
        self.worked = worked
    }
}
