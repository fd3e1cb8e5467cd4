/// Why a bundle could not be described.
package struct BundleFault: Hashable, Sendable, Codable {
    /// What happened.
    package enum Kind: String, Sendable, Codable {
        /// Its description is wrong.
        case wrong
        /// The process that described it was ended by it.
        case crashed
        /// Describing it did not end.
        case hung
        /// It was not tried: too much else hung.
        case untried
    }

    /// What happened.
    package var kind: Kind
    /// The same in words.
    package var reason: String
}
