import Foundation
import Loading
import SavedSessions
import SoundFixtures
import Testing

@Suite struct SessionLockTests {
    @Test func aFolderIsInOneHand() throws {
        let scratch = try Scratch()
        let folder = scratch("session/deep")
        let lock = try SessionLock(folder, by: "film")
        let error = #expect(throws: SessionError.self) { _ = try SessionLock(folder, by: "other") }
        #expect(error?.description.contains("'film', process \(getpid())") == true && error?.mayPass == false)
        lock.release()
        lock.release()
        let next = try SessionLock(folder, by: "other")
        #expect(throws: SessionError.self) { _ = try SessionLock(folder, by: "third") }
        next.release()
        #expect(throws: SessionError.self) { _ = try SessionLock("/dev/null/x", by: "nobody") }
    }

    @Test func `A lock file that may only be read tells of the other session too`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let folder = scratch("session")
            let lock = try SessionLock(folder, by: "film")
            #expect(chmod(folder, 0o777) == 0 && chmod(folder + "/.lock", 0o444) == 0)
            // Root may write to any file, and becomes another user for this.
            let isRoot = geteuid() == 0
            if isRoot { #expect(seteuid(65_534) == 0) }
            let error = #expect(throws: SessionError.self) { _ = try SessionLock(folder, by: "other") }
            #expect(error?.description.contains("'film', process \(getpid())") == true)
            if isRoot { #expect(seteuid(0) == 0) }
            lock.release()
        }
    }
}
