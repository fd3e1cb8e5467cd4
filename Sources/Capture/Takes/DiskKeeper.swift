import AudioIO
import Glibc
import Signal
import Synchronization

/// Syncs files to the disk four times a second, on a thread for which no other thread waits. A power cut then loses
/// only about the last quarter of a second.
///
/// Functions may be called on any thread except the audio thread.
final class DiskKeeper: Sendable {
    /// Interval between two rounds, seconds. A round itself lasts as long as the sync.
    private static let interval = 0.25
    private let worker = Worker(name: "capture disk")
    private let descriptors = Mutex<[Int32]>([])

    /// Starts the thread.
    ///
    /// - Throws: an error if the system cannot start a thread.
    init() throws(WorkerError) {
        try worker.start { [self] worker in
            while !worker.isEnding {
                worker.rest(Self.interval)
                // The descriptors are duplicated, because a file may be completed and closed meanwhile.
                let copies = descriptors.withLock { $0.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } }
                for descriptor in copies where descriptor >= 0 {
                    SoundFileWriter.bringToDisk(descriptor)
                    close(descriptor)
                }
            }
        }
    }

    /// Replaces the descriptors of the files to sync. `DiskKeeper` owns them and closes them.
    func keep(_ others: [Int32]) {
        let former = descriptors.withLock { kept in
            defer { kept = others }
            return kept
        }
        for descriptor in former { close(descriptor) }
    }

    /// Ends the thread, without waiting for a sync in progress.
    func end() {
        keep([])
        worker.end()
    }
}
