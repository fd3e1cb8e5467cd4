/// Result of a check of `doctor`, and its remedy.
package struct Finding: Sendable, Encodable {
    /// Result of a check.
    package enum State: String, Sendable, Codable {
        /// Works without restrictions.
        case ok
        /// Works with restrictions.
        case warning
        /// Prevents a session.
        case fault
    }

    /// Subject of the check: `jack`, `real-time`, …
    package let subject: String
    /// Result of the check.
    package let state: State
    /// Observation, in words.
    package let observation: String
    /// Remedy; nil if, and only if, the check is `ok`.
    package let cure: NextStep?

    /// Creates the result of a check without objection.
    init(_ subject: String, _ observation: String) {
        self.subject = subject
        self.state = .ok
        self.observation = observation
        self.cure = nil
    }

    /// Creates an objection, which always has a remedy.
    init(_ subject: String, _ state: State, _ observation: String, cure: NextStep) {
        self.subject = subject
        self.state = state
        self.observation = observation
        self.cure = cure
    }
}
