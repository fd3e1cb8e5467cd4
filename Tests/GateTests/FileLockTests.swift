import Foundation
import Gate
import SoundFixtures
import Synchronization
import Testing

/// Locks of files.
@Suite struct FileLockTests {
    private func opened(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        return descriptor
    }

    @Test func `One descriptor holds the lock until it is closed`() throws {
        let scratch = try Scratch()
        let (first, second) = (try opened(scratch("file")), try opened(scratch("file")))
        defer { close(second) }
        #expect(!FileLock.isTaken(second))
        #expect(FileLock.take(first) == 0)
        #expect(FileLock.isTaken(second))
        #expect(FileLock.take(second) == EWOULDBLOCK)
        close(first)
        #expect(FileLock.take(second) == 0)
    }

    /// A question locks the file for a moment, which neither refuses a lock nor answers another question with yes.
    @Test func `Questions keep no lock away`() throws {
        let scratch = try Scratch()
        let path = scratch("file")
        let isOver = Atomic<Bool>(false)
        let asked = DispatchGroup()
        for _ in 0..<2 {
            let descriptor = try opened(path)
            asked.enter()
            Thread.detachNewThread {
                while !isOver.load(ordering: .relaxed) {
                    _ = FileLock.isTaken(descriptor)
                    usleep(100)
                }
                close(descriptor)
                asked.leave()
            }
        }
        let asking = try opened(path)
        for _ in 0..<300 {
            let descriptor = try opened(path)
            #expect(!FileLock.isTaken(asking))
            #expect(FileLock.take(descriptor) == 0)
            close(descriptor)
        }
        isOver.store(true, ordering: .relaxed)
        asked.wait()
        close(asking)
    }
}
