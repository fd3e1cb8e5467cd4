import Glibc

/// Default folder of recordings: `Proscenium` in the user's music folder.
package enum RecordingsFolder {
    /// Returns the folder for an environment; nil if the environment has no absolute `HOME`.
    ///
    /// The music folder is `XDG_MUSIC_DIR` of `user-dirs.dirs` (XDG user directories) or `$HOME/Music`.
    ///
    /// - Parameter read: returns the text of a file; nil if it cannot be read.
    package static func standard(
        _ environment: [String: String], read: (String) -> String? = { _ in nil }
    ) -> String? {
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        let config = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        let said = read(config + "/user-dirs.dirs").flatMap { music(in: $0, home: home) }
        return PathText.joined(said ?? PathText.joined(home, "Music"), "Proscenium")
    }

    /// Returns the music folder in the text of `user-dirs.dirs`, for example from `XDG_MUSIC_DIR="$HOME/Music"`.
    /// Returns nil without a line that gives a path below `$HOME/` or an absolute path, without `..`.
    private static func music(in text: String, home: String) -> String? {
        let key = "XDG_MUSIC_DIR="
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix(key) {
            let value = line.dropFirst(key.count)
            guard value.count > 2, value.first == "\"", value.last == "\"" else { return nil }
            let path = value.dropFirst().dropLast()
            let whole = path.hasPrefix("$HOME/") ? home + path.dropFirst(5) : String(path)
            return whole.hasPrefix("/") && !whole.split(separator: "/").contains("..") ? whole : nil
        }
        return nil
    }
}
