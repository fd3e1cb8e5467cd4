/// What keeps the output within full scale.
package enum OutputGuard: String, Sendable, Hashable, CaseIterable {
    /// Nothing: samples may exceed full scale (a floating-point output carries them).
    case off
    /// Without latency: gain drops within the sample, see `InstantGuard`.
    case instant
    /// True-peak limiting 1.5 ms ahead, see `LookaheadGuard`.
    case lookahead
}
