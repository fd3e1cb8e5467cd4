import AudioIO
import Gate
import Racks
import Stages

extension SessionCommand {
    /// Returns the command with absolute paths that `origin` may access; commands without paths are unchanged.
    ///
    /// - Throws: `PathRefusal` with the reason why a path is refused.
    package func admitted(by gate: WriteGate, from origin: PathOrigin) throws(PathRefusal) -> SessionCommand {
        switch self {
        case .record(.start(let file?)): .record(.start(file: try gate.take(file, from: origin)))
        case .plugin(.save(let folder)): .plugin(.save(try gate.folder(folder, from: origin)))
        case .plugin(.load(let folder)): .plugin(.load(try gate.reading(folder)))
        case .set(let change): .set(try change.admitted(by: gate))
        default: self
        }
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

extension WriteGate {
    /// Returns the path at which a take of this name may be written; see `file`.
    package func take(_ said: String, from origin: PathOrigin) throws(PathRefusal) -> String {
        try file(said, from: origin, .file(SoundFileFormat.extensions))
    }
}
