import Glibc

/// Where the program keeps what it can make again: prepared HRTF sets, what was found out of plugins.
package enum CacheFolder {
    /// `$PROSCENIUM_CACHE`, else `$XDG_CACHE_HOME/proscenium`, else `~/.cache/proscenium`; the home is the account's
    /// where `$HOME` names none.
    ///
    /// Source: XDG Base Directory Specification 0.8: its variable counts if it is an absolute path.
    ///
    /// - Parameter value: that of a variable of the environment.
    package static func path(where value: (String) -> String?) -> String {
        if let own = value("PROSCENIUM_CACHE"), !own.isEmpty { return own }
        if let stated = value("XDG_CACHE_HOME"), stated.hasPrefix("/") { return stated + "/proscenium" }
        if let home = value("HOME"), home.hasPrefix("/") { return home + "/.cache/proscenium" }
        return (getpwuid(getuid())?.pointee.pw_dir).map { String(cString: $0) + "/.cache/proscenium" } ?? "proscenium"
    }

    /// This process's.
    package static var path: String { path { name in getenv(name).map { String(cString: $0) } } }
}
