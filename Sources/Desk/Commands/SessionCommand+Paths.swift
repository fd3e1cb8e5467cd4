import Gate
import Stages

extension SessionCommand {
    /// Returns the command with absolute paths that `origin` may access; commands without paths are unchanged.
    ///
    /// - Throws: `PathRefusal` with the reason why a path is refused.
    package func admitted(by gate: WriteGate, from origin: PathOrigin) throws(PathRefusal) -> SessionCommand {
        if case .set(let change) = self { return .set(try change.admitted(by: gate)) }
        return try Command.admitted(self, by: gate, from: origin)
    }
}

extension ParameterChange {
    /// Returns the change with an absolute path if its value is the relative path of a file. Other values are
    /// unchanged.
    fileprivate func admitted(by gate: WriteGate) throws(PathRefusal) -> ParameterChange {
        let word = value.word
        guard !word.isEmpty, !word.hasPrefix("/"), let kind = MakingName(parameter: parameter),
            kind.isFile(word, in: gate.recordings ?? "/")
        else { return self }
        return ParameterChange(parameter, .word(try gate.reading(word)), input: input)
    }
}
