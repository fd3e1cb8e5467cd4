/// What can be the case about a listener's preferences among sets.
package enum PreferenceOutcome: Sendable, Equatable {
    /// This set is the best.
    case best(Int)
    /// These two are equally good, and above all others; the lower number first.
    case shared(Int, Int)
    /// All are alike.
    case none
}
