/// Reason why a bundle could not be described.
package struct BundleFault: Hashable, Sendable, Codable {
    /// Kind of fault.
    package enum Kind: String, Sendable, Codable {
        /// The description is faulty.
        case wrong
        /// The process that described the bundle crashed.
        case crashed
        /// The description could not be read to its end in time.
        case hung
        /// The bundle was not tried, because too many others hung.
        case untried
    }

    /// Kind of fault.
    package var kind: Kind
    /// Fault as text.
    package var reason: String
}
