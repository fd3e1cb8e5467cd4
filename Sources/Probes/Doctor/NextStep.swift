/// What a user can do next about this machine: a line to type and its purpose.
package struct NextStep: Sendable, Hashable, Codable {
    /// State of the machine, effect of the line, or both, in one or two sentences.
    package let purpose: String
    /// Line for a shell. It works as it stands: no place in it has to be filled in.
    package let line: String

    init(_ purpose: String, _ line: String) {
        self.purpose = purpose
        self.line = line
    }
}
