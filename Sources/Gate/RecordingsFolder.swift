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
        let config = BaseFolder.config.named(in: environment) ?? home + "/.config"
        let said = read(config + "/user-dirs.dirs").flatMap { music(in: $0, home: home) }
        return PathText.joined(said ?? PathText.joined(home, "Music"), "Proscenium")
    }

    /// Returns the music folder in the text of `user-dirs.dirs`, for example from `XDG_MUSIC_DIR="$HOME/Music"`.
    ///
    /// Of several `XDG_MUSIC_DIR` lines the last one counts, as in a shell. Returns nil unless it gives, in double
    /// quotes, an absolute path or a path that begins with `$HOME/`, without `..` in it. Blanks and a comment may
    /// follow the quotes.
    private static func music(in text: String, home: String) -> String? {
        let key = "XDG_MUSIC_DIR="
        guard let line = text.split(whereSeparator: \.isNewline).last(where: { $0.hasPrefix(key) }) else { return nil }
        let value = line.dropFirst(key.count)
        guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") else { return nil }
        let rest = value[end...].dropFirst()
        guard let next = rest.first(where: { !$0.isWhitespace }) else { return folder(value[..<end].dropFirst(), home) }
        // A shell begins a comment at `#` only after a blank.
        return next == "#" && rest.first != "#" ? folder(value[..<end].dropFirst(), home) : nil
    }

    /// Returns the folder of a path as in `user-dirs.dirs`; nil if the path is relative or has `..` in it.
    private static func folder(_ path: Substring, _ home: String) -> String? {
        let whole = path.hasPrefix("$HOME/") ? home + path.dropFirst(5) : String(path)
        return whole.hasPrefix("/") && !whole.split(separator: "/").contains("..") ? whole : nil
    }
}
