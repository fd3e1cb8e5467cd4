import Glibc

/// A full disk, simulated by the file size limit of the process: in both cases a write is short.
package enum FullDisk {
    /// The system refused the limit; `code` is errno.
    package struct Refused: Error { let code: Int32 }

    /// Limits each file of this process to `bytes`; for a test in a process of its own.
    package static func begin(atBytes bytes: Int) throws {
        // Otherwise SIGXFSZ would end the process at the first write beyond the limit.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        let what = Int32(RLIMIT_FSIZE.rawValue)
        guard getrlimit(what, &limit) == 0 else { throw Refused(code: errno) }
        limit.rlim_cur = rlim_t(bytes)
        guard setrlimit(what, &limit) == 0 else { throw Refused(code: errno) }
    }
}
