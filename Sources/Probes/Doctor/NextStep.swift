/// What a user can do next about this machine: a line to type and its purpose.
package struct NextStep: Sendable, Hashable, Codable {
    /// State of the machine and effect of the line, in a sentence or two.
    package let purpose: String
    /// Line for a shell. It works as it stands: no place in it has to be filled in.
    package let line: String

    init(_ purpose: String, _ line: String) {
        self.purpose = purpose
        self.line = line
    }
}
