import Foundation

/// Files that a saved session uses, found again on this machine or another.
package enum SessionFiles {
    /// The hash of a file's content; nil where it cannot be read. Some seconds for hundreds of megabytes.
    static func hash(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var hash = SHA256()
        while let bytes = try? file.read(upToCount: 1 << 20), !bytes.isEmpty { hash.add(bytes) }
        return hash.finish()
    }

    /// What a session's options name, as it can be had here: the file where it was, else what its link in the folder
    /// leads to. What cannot be had is taken out and told, a sentence each: all else plays.
    package static func find(
        _ saved: SavedSession, in folder: String
    ) -> (options: [String: JSONValue], remarks: [String]) {
        var (options, remarks) = (saved.options, [String]())
        for (option, file) in saved.used.sorted(by: { $0.key < $1.key }) where options[option] != nil {
            let named = options[option]?.text ?? ""
            let places = [named, file.path, folder + "/" + SavedSession.files + "/" + file.link]
            guard let found = places.first(where: { FileManager.default.isReadableFile(atPath: $0) }) else {
                options[option] = nil
                remarks.append(
                    "--\(option) \(named) is not on this machine; the session plays without it. Put the file (SHA-256 "
                        + "\(file.hash.prefix(12))…) there, or into \(folder)/\(SavedSession.files) as \(file.link)")
                continue
            }
            if hash(of: found) != file.hash {
                remarks.append("--\(option) \(found) is not the file that was saved: its content is another")
            }
            options[option] = .text(found)
        }
        return (options, remarks)
    }

    /// The plugins of a session's chains as they were saved; none where none were.
    package static func plugins(in folder: String) throws(SessionError) -> [PluginRequest] {
        let path = folder + "/" + SavedSession.plugins
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try SavedChains.requests(in: path)
    }
}
