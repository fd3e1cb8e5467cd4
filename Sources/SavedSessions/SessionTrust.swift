import Gate
import Glibc
import Loading

/// Decision on the requests of a session's folder beyond sound, and the options that are left out.
package struct SessionTrust: Sendable {
    /// Omitted options, with their values.
    package var leftOut: Set<SessionReach.Part> = []
    /// Remarks for the user, a sentence each.
    package var remarks: [String] = []

    /// Ways in which a user agrees to the requests of a folder.
    package enum Consent {
        /// Given beforehand, by `--trust`.
        case given
        /// By an answer at the terminal.
        case asked((SessionReach) -> Bool)
        /// Not possible, without a terminal.
        case none
    }

    /// Decides by earlier consents, by the owner of the folder's file, and by the present consent. Records a new
    /// consent in `known`.
    ///
    /// If an earlier version saved the folder, and `known` has no entry of it, it is trusted if its file belongs to
    /// this user.
    package init(
        _ saved: SessionDocument, in folder: String, consent: Consent, known: inout KnownSessions
    ) throws(SessionError) {
        let reach = SessionReach(options: saved.options)
        var open = Set(reach.parts).subtracting(known.agreed(reach, in: folder))
        guard !open.isEmpty else { return }
        let isFormer = !saved.isTemplate && saved.step == 0 && !known.knows(folder) && Self.isOwn(folder)
        let words = open.map(\.words).sorted().joined(separator: "; ")
        switch consent {
        case .given: open = []
        case _ where isFormer:
            remarks.append(
                "\(folder), which an earlier version saved, writes files elsewhere or listens to other machines: \(words)"
            )
            open = []
        case .asked(let agrees): if agrees(SessionReach(parts: open)) { open = [] }
        case .none: break
        }
        leftOut = open
        guard open.isEmpty else {
            remarks.append(
                "\(folder) was not saved here by you; left out: \(words); --trust permits that")
            return
        }
        try known.note(folder, Set(reach.parts))
    }

    /// Returns whether the session's file belongs to this user.
    private static func isOwn(_ folder: String) -> Bool {
        var found = stat()
        return lstat(folder + "/" + SessionDocument.fileName, &found) == 0 && found.st_uid == geteuid()
    }

    /// Returns the options without the omitted ones.
    package func allowed(_ options: [String: JSONValue]) -> [String: JSONValue] {
        var allowed = options
        for part in leftOut {
            if case .list(let list)? = allowed[part.option] {
                allowed[part.option] = .list(list.filter { $0.word != part.value })
            } else {
                allowed[part.option] = nil
            }
        }
        return allowed
    }
}
