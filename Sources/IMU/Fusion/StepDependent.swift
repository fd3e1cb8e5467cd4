/// A value that depends only on the step between samples. It is computed again only if the step changes.
///
/// Two steps count as equal if they differ by at most 1e-9 of their size. Within hours of a constant rate, the rounding
/// of times changes the steps by less. A weight that grows with the step is then wrong by at most 1e-9 of its size.
struct StepDependent<Value: Sendable>: Sendable {
    private static var tolerance: Double { 1e-9 }
    private var step = -1.0
    private var value: Value

    /// Creates a value that the first step replaces.
    init(_ value: Value) { self.value = value }

    /// Returns the value for a step in seconds, above 0. If the step has changed, `compute` computes the value.
    @inline(__always)
    mutating func at(_ step: Double, _ compute: (Double) -> Value) -> Value {
        if abs(step - self.step) > Self.tolerance * step { (self.step, value) = (step, compute(step)) }
        return value
    }
}
