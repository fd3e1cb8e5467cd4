import AudioIO
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

/// What a command does with a path that it is given.
enum PathUse: Sendable {
    /// Writes the file of a take.
    case writesTake
    /// Writes a folder.
    case writesFolder
    /// Reads a folder.
    case readsFolder

    /// Whether the path is that of a folder.
    var isFolder: Bool {
        switch self {
        case .writesTake: false
        case .writesFolder, .readsFolder: true
        }
    }

    /// Returns the absolute path, which `origin` may access.
    ///
    /// - Throws: `PathRefusal` with the reason why the path is refused.
    func admitted(_ path: String, by gate: WriteGate, from origin: PathOrigin) throws(PathRefusal) -> String {
        switch self {
        case .writesTake: try gate.take(path, from: origin)
        case .writesFolder: try gate.folder(path, from: origin)
        case .readsFolder: try gate.reading(path)
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
