/// One thing `doctor` looked at: how it is, and what cures it.
package struct Finding: Sendable, Codable {
    /// How it is.
    package enum State: String, Sendable, Codable {
        /// As it should be.
        case ok
        /// Works, but not as well as it could.
        case warning
        /// Stands in the way.
        case fault
    }

    /// What was looked at: `jack`, `real-time`, …
    package let subject: String
    /// How it is.
    package let state: State
    /// What was found.
    package let observation: String
    /// What to do about it; nil where there is nothing to do.
    package let cure: String?

    init(_ subject: String, _ state: State, _ observation: String, cure: String? = nil) {
        self.subject = subject
        self.state = state
        self.observation = observation
        self.cure = cure
    }
}
