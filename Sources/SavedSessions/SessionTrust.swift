import Gate
import Glibc
import Loading

/// Whether a session's folder may do what reaches beyond sound, and what of it is left out.
package struct SessionTrust: Sendable {
    /// Options that are left out, with their values.
    package var leftOut: Set<SessionReach.Part> = []
    /// Remarks for the user, a sentence each.
    package var remarks: [String] = []

    /// How a user agrees to what a folder asks for.
    package enum Consent {
        /// By `--trust`, beforehand.
        case given
        /// At a terminal, when asked.
        case asked((SessionReach) -> Bool)
        /// No terminal is there to ask at.
        case none
    }

    /// Decides by what the user agreed to before, by which user wrote the folder, and by what the user says now,
    /// which is noted.
    ///
    /// A folder that an earlier version wrote, which kept no notes, is its user's where its file belongs to that user.
    package init(
        _ saved: SavedSession, in folder: String, consent: Consent, known: inout KnownSessions
    ) throws(SessionError) {
        let reach = SessionReach(options: saved.options)
        var open = Set(reach.parts).subtracting(known.agreed(reach, in: folder))
        guard !open.isEmpty else { return }
        let isFormer = !saved.isTemplate && saved.step == 0 && !known.knows(folder) && Self.isOwn(folder)
        let words = open.map(\.words).sorted().joined(separator: "; ")
        switch consent {
        case .given: open = []
        case _ where isFormer:
            remarks.append("\(folder), which an earlier version saved, reaches beyond sound: \(words)")
            open = []
        case .asked(let agrees): if agrees(SessionReach(parts: open)) { open = [] }
        case .none: break
        }
        leftOut = open
        guard open.isEmpty else {
            remarks.append(
                "\(folder) was not saved here by you; left out of it: \(words); --trust has it done as well")
            return
        }
        try known.note(folder, Set(reach.parts))
    }

    /// Whether the session's file is this user's.
    private static func isOwn(_ folder: String) -> Bool {
        var found = stat()
        return lstat(folder + "/" + SavedSession.fileName, &found) == 0 && found.st_uid == geteuid()
    }

    /// The options without what is left out.
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
