import Desktop
import Loading
import SavedSessions

extension DesktopRecord {
    /// Reads the record of `desktop on`; nil without one. Options of a record of an earlier version are taken over.
    ///
    /// - Parameters:
    ///   - folder: folder of the program's state.
    ///   - renews: whether a record of an earlier version is written in the present form. Only the service's session
    ///     requests this. It cannot overwrite a newer record: a command ends the service before it writes one.
    ///   - tell: called with one sentence for each option that this version does not know, and if the record cannot be
    ///     written.
    /// - Throws: `SessionError` for a record that cannot be read.
    static func saved(
        in folder: String = SessionDocument.stateFolder, renews: Bool = false, tell: (String) -> Void = { _ in }
    ) throws(SessionError) -> DesktopRecord? {
        var isFormer = false
        let record = try DesktopRecord(in: folder) { typed in
            isFormer = true
            let options = DesktopRecipe.options(typed)
            for option in options.unknown {
                tell(
                    "\(path(in: folder)): this version has no option '\(option)'; the session plays without it, and "
                        + "'proscenium desktop on' sets the options anew")
            }
            return options.texts
        }
        if isFormer, renews, let record {
            do throws(SessionError) { try record.write(in: folder) } catch { tell(error.description) }
        }
        return record
    }

    /// The options of `run` that the user typed with `desktop on`.
    var typed: TypedOptions { TypedOptions(of: DesktopRecipe.command, saved: options) }
}
