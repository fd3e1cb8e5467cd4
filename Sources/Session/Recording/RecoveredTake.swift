import AudioIO
import Loading

/// A take that was cut off, as by a power failure, and what was recovered of it.
package struct RecoveredTake: Codable, Sendable {
    /// What it was called, `NAME.part`.
    package var part: String
    /// The file it is in now, the same one where it was finished; nil: nothing had been recorded, and the `.part` is
    /// removed.
    package var path: String?
    /// Seconds of sound; nil for poses and motion.
    package var seconds: Double?

    /// For the user.
    package var line: String {
        if path == part { return "\(part) is finished: there is nothing to recover" }
        guard let path else { return "\(part), a take that was cut off before anything was recorded, is removed" }
        let length = seconds.map { $0 < 10 ? "\((10 * $0).rounded() / 10) s" : "\(Int($0)) s" }
        return
            "\(part), a take that was cut off: \(length.map { "\($0) of it are" } ?? "what was written of it is") in \(path)"
    }

    /// Ends a take that was cut off where its header says, or at its last whole line, and gives it a name of its own
    /// (`ears-recovered.wav`). Nothing is copied.
    package init(recovering part: String) throws(SessionError) {
        do throws(SoundFileError) {
            let found = try CutOffTake.recover(part)
            (self.part, path, seconds) = (part, found.path, found.seconds)
        } catch {
            throw SessionError(error)
        }
    }

    /// A file that is a whole recording already, and is left as it is; nil where it is none, or where one that was cut
    /// off lies beside it.
    package init?(finished path: String) {
        guard !path.hasSuffix(".part"), !CutOffTake.isBeside(path), let whole = CutOffTake.whole(path) else {
            return nil
        }
        (part, self.path, seconds) = (path, path, whole.seconds)
    }

    /// Recovers what was cut off under a name that is to be recorded anew; nil where nothing was.
    init?(beside path: String) throws(SessionError) {
        guard let part = CutOffTake.beside(path) else { return nil }
        try self.init(recovering: part)
    }
}
