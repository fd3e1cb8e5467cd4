/// Hypothesis about a listener's preferences among HRTF sets.
package enum PreferenceOutcome: Sendable, Equatable {
    /// This set is the best.
    case best(Int)
    /// These two sets are equally good and above all others; the lower index first.
    case shared(Int, Int)
    /// All sets are alike: the listener guesses.
    case none
}
