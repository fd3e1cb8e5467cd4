/// Why a session cannot start or go on: whose fault it is, and a sentence that tells the user what to do next.
package struct SessionError: Error, Sendable, CustomStringConvertible {
    /// Who can mend it.
    package enum Fault: Sendable {
        /// The file, set, layout or log that was given.
        case input
        /// What was asked for: an unknown name, options that exclude each other.
        case usage
        /// The machine: JACK, ports, permissions, disk.
        case environment
        /// Nobody: the user stopped it.
        case interrupted
    }

    /// Who can mend it.
    package let fault: Fault
    /// What is wrong, where, and what to do.
    package let description: String

    /// An error with a message for the user.
    package init(_ fault: Fault, _ description: String) {
        self.fault = fault
        self.description = description
    }
}
