import Desk
import Foundation
import SoundFixtures
import Testing

/// What lines of `ctl` with a wrong argument are answered, before any session is asked.
@Suite struct ControlRefusalTests {
    @Test(arguments: [
        (["record", "start", "/nowhere/a/b.wav"], "there is no folder /nowhere/a; make it first"),
        (["record", "start", "nofolder/take.wav"], "/nofolder; make it first"),
        (["record", "start", ""], "the path is empty"), (["record", "start", "~/take.wav"], "begins with '~'"),
        (["plugin", "save", "/nowhere/a/chains"], "there is no folder /nowhere/a; make it first"),
        (["plugin", "save", ""], "the path is empty"),
        (["plugin", "load", "nofolder/chains"], "/nofolder; make it first"),
        (["plugin", "load", ""], "the path is empty"),
    ]) func `A path that cannot be meant is refused with the reason`(_ words: [String], _ reason: String) throws {
        let scratch = try Scratch()
        let run = try Run(["ctl"] + words, in: scratch.path)
        withExtendedLifetime(scratch) {}
        #expect(run.status == 2)
        #expect(run.complaints.first?.contains(reason) == true, "\(words): \(run.complaints)")
        #expect(run.complaints.first?.contains("for '<") == true, "\(words): \(run.complaints)")
    }
}
