import Glibc

/// Locks of files between processes (`flock`): one descriptor at a time holds the lock, until it is closed.
package enum FileLock {
    /// Number of attempts, and the time between them, microseconds. There are several attempts because `isTaken` in
    /// another process also holds the lock, for some microseconds.
    private static let attempts = 8
    private static let pause: UInt32 = 5000

    /// Locks a file for this descriptor. Waits 35 ms at most for the lock. Must not be called on the audio thread.
    ///
    /// - Returns: 0; `EWOULDBLOCK` if another descriptor holds the lock; another `errno`, for example if the file
    ///   system has no locks.
    package static func take(_ descriptor: Int32) -> Int32 {
        for _ in 1..<attempts {
            let code = attempt(descriptor, LOCK_EX)
            guard code == EWOULDBLOCK else { return code }
            usleep(pause)
        }
        return attempt(descriptor, LOCK_EX)
    }

    /// Returns whether another descriptor holds the lock of a file. Two simultaneous calls do not disturb each other.
    package static func isTaken(_ descriptor: Int32) -> Bool {
        guard attempt(descriptor, LOCK_SH) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    private static func attempt(_ descriptor: Int32, _ kind: Int32) -> Int32 {
        while flock(descriptor, kind | LOCK_NB) != 0 {
            guard errno == EINTR else { return errno }
        }
        return 0
    }
}
