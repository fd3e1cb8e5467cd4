import Glibc

/// Folder of files that the program can make again: prepared HRTF sets, and results of plugin scans.
package enum CacheFolder {
    /// Returns `$PROSCENIUM_CACHE`, else `$XDG_CACHE_HOME/proscenium`, else `~/.cache/proscenium`. If `$HOME` is not an
    /// absolute path, the home folder of the user's account replaces it. If the account has none, the result is
    /// `proscenium`, in the working folder.
    ///
    /// - Parameter value: returns the value of an environment variable.
    package static func path(where value: (String) -> String?) -> String {
        if let own = value("PROSCENIUM_CACHE"), !own.isEmpty { return own }
        if let stated = BaseFolder.cache.named(where: value) { return stated + "/proscenium" }
        if let home = value("HOME"), home.hasPrefix("/") { return home + "/.cache/proscenium" }
        return (getpwuid(getuid())?.pointee.pw_dir).map { String(cString: $0) + "/.cache/proscenium" } ?? "proscenium"
    }

    /// Cache folder of this process.
    package static var path: String { path { name in getenv(name).map { String(cString: $0) } } }
}
