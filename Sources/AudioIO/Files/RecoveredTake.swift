/// A take that was cut off, for example by a power failure, and the part of it that was recovered.
package struct RecoveredTake: Codable, Sendable {
    /// Path of the file that was examined: the cut-off file, `NAME.part`, or a complete file.
    package var part: String
    /// Path of the recovered file. It equals `part` if the file was already complete. It is nil if the `.part`
    /// contained no sound and no complete line, and has been removed.
    package var path: String?
    /// Duration of the sound, seconds; nil for a text (poses, motion, markers), and if nothing was recovered.
    package var seconds: Double?

    /// Remark on the recovery, for the user.
    package var line: String {
        if path == part { return "\(part) is complete; nothing has to be recovered" }
        guard let path else { return "\(part), a take that was cut off before anything was recorded, is removed" }
        let length = seconds.map { $0 < 10 ? "\((10 * $0).rounded() / 10) s" : "\(Int($0)) s" }
        return
            "\(part), a take that was cut off: \(length.map { "\($0) of it are" } ?? "what was written of it is") in \(path)"
    }

    /// Recovers a cut-off take, as `CutOffTake.recover` does: truncates the file after the declared sound or the last
    /// complete line, and renames it (`ears-recovered.wav`). Copies nothing. Removes a `.part` without content.
    package init(recovering part: String) throws(SoundFileError) {
        let found = try CutOffTake.recover(part)
        (self.part, path, seconds) = (part, found.path, found.seconds)
    }

    /// Describes a file that is already a complete recording, and leaves it as it is. Returns nil if the file is not a
    /// complete sound or text, if its name ends in `.part`, or if a `.part` exists beside it.
    package init?(finished path: String) {
        guard !path.hasSuffix(".part"), !CutOffTake.isBeside(path), let whole = CutOffTake.whole(path) else {
            return nil
        }
        (part, self.path, seconds) = (path, path, whole.seconds)
    }

    /// Recovers a cut-off take beside the path of a new recording. Returns nil if there is none.
    package init?(beside path: String) throws(SoundFileError) {
        guard let part = CutOffTake.beside(path) else { return nil }
        try self.init(recovering: part)
    }
}
