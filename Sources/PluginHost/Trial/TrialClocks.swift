/// Clocks of a trial, ns.
package struct TrialClocks {
    /// Elapsed time, ns.
    let passed: () -> UInt64
    /// Processor time of the calling thread, ns. It does not depend on the load of the machine.
    let worked: () -> UInt64

    /// Creates the clocks. Neither may decrease.
    package init(passed: @escaping () -> UInt64, worked: @escaping () -> UInt64) {
        self.passed = passed
        self.worked = worked
    }
}
