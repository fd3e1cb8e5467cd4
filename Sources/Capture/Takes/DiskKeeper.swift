import AudioIO
import Glibc
import Signal
import Synchronization

/// Brings what was written to the disk, four times a second, on a thread that no other waits for:
/// a power cut takes no more.
///
/// Any thread but the audio thread.
final class DiskKeeper: Sendable {
    /// Seconds between two rounds; a round takes as long as the disk takes.
    private static let interval = 0.25
    private let worker = Worker(name: "capture disk")
    private let descriptors = Mutex<[Int32]>([])

    /// Starts the thread.
    ///
    /// - Throws: where the system gives none.
    init() throws(WorkerError) {
        try worker.start { [self] worker in
            while !worker.isEnding {
                worker.rest(Self.interval)
                // Its own copies: a file may be completed, and closed, meanwhile.
                let copies = descriptors.withLock { $0.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } }
                for descriptor in copies where descriptor >= 0 {
                    SoundFileWriter.bringToDisk(descriptor)
                    close(descriptor)
                }
            }
        }
    }

    /// What is to be kept from now on, in place of what was; the descriptors are closed here.
    func keep(_ others: [Int32]) {
        let former = descriptors.withLock { kept in
            defer { kept = others }
            return kept
        }
        for descriptor in former { close(descriptor) }
    }

    /// Ends the thread; what it is waiting for is left to it.
    func end() {
        keep([])
        worker.end()
    }
}
