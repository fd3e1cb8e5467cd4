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
}
