import Desk
import Foundation
import SoundFixtures
import Testing

/// Errors of `ctl` for wrong arguments, before it contacts a session.
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

    @Test(arguments: [
        ("interrupt begin loud --duck 12", "--duck takes -120 to 0 dB, not '12'"),
        ("interrupt begin long --duck -12 --lease 0", "--lease takes 0.1 to 86400 seconds, not '0'"),
        ("recentre sideways", "<axes> takes yaw, full or reset, not 'sideways'"),
        ("start --at never", "--at takes a JACK frame as a whole number, 0 to 4294967295, not 'never'"),
        ("pause maybe", "<state> takes on, off or toggle, not 'maybe'"),
        ("skip 0", "<files> takes a whole number of files, not 0 (negative: back), not '0'"),
        ("skip some", "<files> takes a whole number of files, not 0 (negative: back), not 'some'"),
        ("calibrate start arm", "<body> takes head or device, not 'arm'"),
        ("calibrate start head --seconds 100", "--seconds takes 0.5 to 60 seconds, not '100'"),
        ("plugin bypass amp maybe", "<state> takes on, off or toggle, not 'maybe'"),
        ("plugin midi amp 144 999", "<bytes> takes one to three bytes, 0 to 255 each, not '999'"),
        ("plugin midi amp -1", "<bytes> takes one to three bytes, 0 to 255 each, not '-1'"),
        ("plugin move amp -1", "<position> takes a whole number from 0 on, not '-1'"),
        ("plugin move amp -5 --port 9", "<position> takes a whole number from 0 on, not '-5'"),
        ("plugin move amp first", "<position> takes a whole number from 0 on, not 'first'"),
        ("plugin add main=urn:x --at -1", "--at takes a whole number from 0 on, not '-1'"),
        ("plugin add main=urn:x --at last", "--at takes a whole number from 0 on, not 'last'"),
    ]) func `A wrong argument is named, with what it takes and what was given`(_ line: String, _ reason: String) throws
    {
        let run = try Run(["ctl"] + line.split(separator: " ").map(String.init))
        #expect(run.status == 2)
        #expect(run.complaints.first == "Error: \(reason)")
    }

    @Test(arguments: [
        ("interrupt begin loud", "interrupt begin takes NAME with either"),
        ("interrupt begin loud --lease 5", "interrupt begin takes NAME with either"),
        ("plugin move amp 1 2", "plugin move takes a position from 0 on, not '1 2'"),
        ("plugin add main", "'main' does not say where a plugin goes"),
    ]) func `Right arguments that do not go together are refused by the row`(_ line: String, _ reason: String) throws {
        let run = try Run(["ctl"] + line.split(separator: " ").map(String.init))
        #expect(run.status == 2)
        #expect(run.complaints.first?.hasPrefix("Error: \(reason)") == true, "\(run.complaints)")
    }

    @Test func `Help says what a word may be, and what is meant without it`() throws {
        func help(_ words: String...) throws -> String {
            try Run(["ctl"] + words + ["--help"]).output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        }
        #expect(try help("recentre").contains("(values: yaw, full, reset; default: yaw)"))
        #expect(try help("pause").contains("(values: on, off, toggle; default: toggle)"))
        #expect(try help("plugin", "bypass").contains("(values: on, off, toggle; default: toggle)"))
        #expect(try help("calibrate", "start").contains("(values: head, device; default: head)"))
    }

    @Test func `A usage line repeats only what may be repeated`() throws {
        let start = "USAGE: proscenium ctl "
        let port = "[--to <name>] [--port <[address:]port>]"
        func usage(_ words: String...) throws -> String {
            let lines = try Run(["ctl"] + words + ["--help"]).output.split(separator: "\n")
            return lines.first { $0.hasPrefix("USAGE:") }.map(String.init) ?? ""
        }
        #expect(try usage("plugin", "move") == start + "plugin move \(port) <name> <position>")
        #expect(try usage("skip") == start + "skip \(port) [<files>]")
        #expect(try usage("plugin", "midi") == start + "plugin midi \(port) <name> <bytes> ...")
    }
}
