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
            let (found, remark) = find(file, named: options[option]?.text ?? "", by: "--" + option, in: folder)
            options[option] = found.map { .text($0) }
            remarks += remark.map { [$0] } ?? []
        }
        return (options, remarks)
    }

    /// The same of what a scene is built of that is not heard.
    static func find(
        scene: String, of saved: SavedSession, in folder: String
    ) -> (values: [String: ParameterValue], remarks: [String]) {
        var (values, remarks) = (saved.scenes[scene] ?? [:], [String]())
        for (id, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let file = saved.used["\(scene)/\(id)"] else { continue }
            let named = value.written.joined(separator: ",")
            let (found, remark) = find(file, named: named, by: "scene \(scene): \(id)", in: folder)
            values[id] = found.map { .word($0) }
            remarks += remark.map { [$0] } ?? []
        }
        return (values, remarks)
    }

    /// Where a file is that is named by an option; nil where it is nowhere. And what there is to tell of it.
    private static func find(
        _ file: SavedSession.UsedFile, named: String, by option: String, in folder: String
    ) -> (path: String?, remark: String?) {
        let places = [named, file.path, folder + "/" + SavedSession.files + "/" + file.link]
        guard let found = places.first(where: { FileManager.default.isReadableFile(atPath: $0) }) else {
            return (
                nil,
                "\(option) \(named) is not on this machine; the session plays without it. Put the file (SHA-256 "
                    + "\(file.hash.prefix(12))…) there, or into \(folder)/\(SavedSession.files) as \(file.link)"
            )
        }
        let isSame = hash(of: found) == file.hash
        return (found, isSame ? nil : "\(option) \(found) is not the file that was saved: its content is another")
    }

    /// The plugins of a scene's chains as they were saved; none where none were. nil: the scene that is heard.
    package static func plugins(in folder: String, scene: String? = nil) throws(SessionError) -> [PluginRequest] {
        let heard = scene == nil ? try SavedSession(folder: folder)?.scene : scene
        let path = folder + "/" + SavedSession.plugins(of: heard ?? SceneFacts.names[0])
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try SavedChains.requests(in: path)
    }
}
