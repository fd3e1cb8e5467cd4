/// A value that depends on nothing but the step between samples, computed again only where the step changes.
///
/// Steps that differ by 1e-9 of themselves count as one: so far apart are differences of times, rounded, within hours
/// of a constant rate. A weight that grows with the step is then wrong by 1e-9 of itself at most.
struct StepDependent<Value: Sendable>: Sendable {
    private static var tolerance: Double { 1e-9 }
    private var step = -1.0
    private var value: Value

    /// Creates a value that the first step replaces.
    init(_ value: Value) { self.value = value }

    /// Returns the value at a step, seconds above 0, by `compute` where it is not known.
    @inline(__always)
    mutating func at(_ step: Double, _ compute: (Double) -> Value) -> Value {
        if abs(step - self.step) > Self.tolerance * step { (self.step, value) = (step, compute(step)) }
        return value
    }
}
