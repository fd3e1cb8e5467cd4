import Glibc

/// Where the program keeps what it can make again: prepared HRTF sets, what was found out of plugins.
package enum CacheFolder {
    /// `$PROSCENIUM_CACHE`, else `$XDG_CACHE_HOME/proscenium`, else `~/.cache/proscenium`; of a process without a home,
    /// `/tmp/proscenium-UID`.
    ///
    /// Source: XDG Base Directory Specification 0.8: its variable counts if it is an absolute path.
    ///
    /// - Parameter value: that of a variable of the environment.
    package static func path(where value: (String) -> String?) -> String {
        if let own = value("PROSCENIUM_CACHE"), !own.isEmpty { return own }
        if let stated = value("XDG_CACHE_HOME"), stated.hasPrefix("/") { return stated + "/proscenium" }
        guard let home = value("HOME"), home.hasPrefix("/") else { return "/tmp/proscenium-\(getuid())" }
        return home + "/.cache/proscenium"
    }

    /// This process's.
    package static var path: String { path { name in getenv(name).map { String(cString: $0) } } }
}
