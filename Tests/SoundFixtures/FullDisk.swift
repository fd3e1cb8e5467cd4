import Glibc

/// A limit of the process stands for a full disk: both end in a write that takes less than it was given.
package enum FullDisk {
    /// The system has no such limit set.
    package struct Refused: Error { let code: Int32 }

    /// From now on no file of this process grows beyond so many bytes; for a test in a process of its own.
    package static func begin(atBytes bytes: Int) throws {
        // Without it the first write too many would end the process.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        let what = Int32(RLIMIT_FSIZE.rawValue)
        guard getrlimit(what, &limit) == 0 else { throw Refused(code: errno) }
        limit.rlim_cur = rlim_t(bytes)
        guard setrlimit(what, &limit) == 0 else { throw Refused(code: errno) }
    }
}
